/// What the connection at hand has to send: memory that a loop's connections use in turn. Belongs to the loop's queue.
final class Output {
    private(set) var bytes: [UInt8] = []
    private let capacity: Int

    /// - Parameter capacity: bytes for which memory is kept; what a larger answer has taken is given back.
    init(keeping capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { bytes.isEmpty }

    var count: Int { bytes.count }

    /// Changes the bytes. Taken out meanwhile and put back, they need no watch over who else may have them.
    func write<Result>(_ change: (inout [UInt8]) -> Result) -> Result {
        var taken = take()
        defer { bytes = taken }
        return change(&taken)
    }

    /// The bytes, which are no longer here to be sent.
    func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Forgets the bytes, which nobody is to be sent any more.
    func discard() { reuse(take()) }

    /// Takes memory back for the next connection.
    func reuse(_ taken: consuming [UInt8]) {
        taken.removeAll(keepingCapacity: taken.capacity <= capacity)
        bytes = taken
    }
}
