/// Bytes that grow at their end. Room is looked for once for what is put in together, and not for every byte.
///
/// Of the `capacity` bytes in `storage`, which is its own, the first `count` have been written; no others are ever read.
struct ByteBuffer: ~Copyable {
    private var storage: Storage
    private var capacity: Int
    private var count = 0

    private final class Storage: ManagedBuffer<Void, UInt8> {
        static func make(_ capacity: Int) -> Storage { unsafeDowncast(create(minimumCapacity: capacity) { _ in }, to: Storage.self) }
    }

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        storage = .make(self.capacity)
    }

    /// A copy of what was put in so far.
    var bytes: [UInt8] { withBytes { Array($0) } }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeMutablePointerToElements { body(UnsafeBufferPointer(start: $0, count: count)) }
    }

    /// To be called before `put`, which traps where there is no room.
    @inline(__always)
    mutating func makeRoom(for more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = max(2 * capacity, count + more)
        let grown = Storage.make(larger)
        grown.withUnsafeMutablePointerToElements { new in
            storage.withUnsafeMutablePointerToElements { new.update(from: $0, count: count) }
        }
        (storage, capacity) = (grown, larger)
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        precondition(count < capacity)
        storage.withUnsafeMutablePointerToElements { $0[count] = byte }
        count += 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        precondition(bytes.count <= capacity - count)
        storage.withUnsafeMutablePointerToElements { ($0 + count).update(from: source, count: bytes.count) }
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
        storage.withUnsafeMutablePointerToElements { start in
            let place = start + count
            place[0] = UInt8(ascii: "\"")
            if let source = bytes.baseAddress { (place + 1).update(from: source, count: bytes.count) }
            place[bytes.count + 1] = UInt8(ascii: "\"")
            if thenColon { place[bytes.count + 2] = UInt8(ascii: ":") }
        }
        count += length
    }

    /// Digits and sign that an `Int64` has at most.
    static let longestNumber = 20

    /// In decimal digits, with no others before them. Wants room for the longest number.
    mutating func put(decimal number: Int64) {
        precondition(Self.longestNumber <= capacity - count)
        count += storage.withUnsafeMutablePointerToElements { start in
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
            return end - first
        }
    }
}
