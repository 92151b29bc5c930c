/// Bytes that grow at their end. Room is looked for once for what is put in together, and not for every byte.
///
/// Of the `capacity` bytes at `start`, the first `count` have been written; no others are ever read. They are those that it was lent, until
/// there are too few of them, and then its own.
struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    private(set) var isLent: Bool

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        start = .allocate(capacity: self.capacity)
        isLent = false
    }

    /// - Parameter memory: not empty, and for nobody else as long as the buffer is there.
    init(lent memory: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = memory.baseAddress else { preconditionFailure("no memory was lent") }
        (self.start, capacity, isLent) = (start, memory.count, true)
    }

    deinit { if !isLent { start.deallocate() } }

    /// A copy of what was put in so far.
    var bytes: [UInt8] { withBytes { Array($0) } }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: start, count: count))
    }

    /// To be called before `put`, which traps where there is no room.
    @inline(__always)
    mutating func makeRoom(for more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        grown.update(from: start, count: count)
        if !isLent { start.deallocate() }
        (start, capacity, isLent) = (grown, larger, false)
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        precondition(count < capacity)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        precondition(bytes.count <= capacity - count)
        (start + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// A text that stands in the source.
    @inline(__always)
    mutating func put(_ text: StaticString) { put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

    /// Bytes between quotation marks, and perhaps a colon behind.
    @inline(__always)
    mutating func put(quoted bytes: UnsafeBufferPointer<UInt8>, thenColon: Bool) {
        let length = bytes.count + (thenColon ? 3 : 2)
        precondition(length <= capacity - count)
        let place = start + count
        place[0] = UInt8(ascii: "\"")
        if let source = bytes.baseAddress { (place + 1).update(from: source, count: bytes.count) }
        place[bytes.count + 1] = UInt8(ascii: "\"")
        if thenColon { place[bytes.count + 2] = UInt8(ascii: ":") }
        count += length
    }

    /// Digits and sign that an `Int64` has at most.
    static let longestNumber = 20

    /// In decimal digits, with no others before them. Wants room for the longest number.
    mutating func put(decimal number: Int64) {
        precondition(Self.longestNumber <= capacity - count)
        // From behind, and then to where they belong.
        let end = start + count + Self.longestNumber
        var first = end
        var digits = number.magnitude
        repeat {
            first -= 1
            first.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
            digits /= 10
        } while digits != 0
        if number < 0 {
            first -= 1
            first.pointee = UInt8(ascii: "-")
        }
        (start + count).update(from: first, count: end - first)
        count += end - first
    }
}
