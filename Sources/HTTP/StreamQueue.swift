/// What a stream has to say and has not begun to write: pieces in order, and at most one snapshot among them.
///
/// A snapshot says all that the one before it said, so a newer one takes its place at the end of the queue, and a slow reader finds
/// the newest state and no backlog. The other pieces have a bound in bytes; the snapshot needs none, since it is one and its bytes are
/// usually shared with other streams.
public struct StreamQueue: Sendable {
    private let limit: Int
    private var pieces: [StreamChunk] = []
    private var start = 0
    private var size = 0
    private var snapshot: StreamChunk?
    /// How many pieces go before the snapshot.
    private var snapshotPlace = 0

    public init(limit: Int) { self.limit = limit }

    public var isEmpty: Bool { snapshot == nil && start == pieces.count }

    /// False, and nothing added, when the queue would grow beyond its limit; a single piece always finds room.
    public mutating func add(_ piece: StreamChunk) -> Bool {
        guard !piece.isEmpty else { return true }
        guard size == 0 || piece.count <= limit - size else { return false }
        pieces.append(piece)
        size += piece.count
        return true
    }

    /// Puts a snapshot at the end, in place of one that waits.
    public mutating func replace(with snapshot: StreamChunk) {
        guard !snapshot.isEmpty else { return }
        self.snapshot = snapshot
        snapshotPlace = pieces.count - start
    }

    public mutating func next() -> StreamChunk? {
        if let snapshot, snapshotPlace == 0 {
            self.snapshot = nil
            return snapshot
        }
        guard start < pieces.count else { return nil }
        let piece = pieces[start]
        start += 1
        size -= piece.count
        snapshotPlace -= 1
        // Given back as soon as it is empty: a stream at rest holds nothing.
        if start == pieces.count { (pieces, start) = ([], 0) }
        return piece
    }

    public mutating func removeAll() { self = StreamQueue(limit: limit) }
}
