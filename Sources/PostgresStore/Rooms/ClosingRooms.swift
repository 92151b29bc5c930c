internal import MenuGame
internal import UseCases

// A room that is closed takes along the answers that go with it, whosever they are. They are kept by owner, elsewhere than the room, so
// they are looked for first, and the room is not closed where there are others by then.
extension Connection {
    /// Finds the answers that go with the rooms that a batch closes. Asks nothing where it closes none.
    func findReceipts(of batch: inout [IndexedChange], within limit: Duration) throws(StoreError) {
        let closings = batch.indices.filter { batch[$0].marked.isClosing }
        guard !closings.isEmpty else { return }
        let found = try run(
            closings.map { "SELECT owner, key FROM room_receipt WHERE room = \(batch[$0].marked.room.id)" }, within: limit)
        for (index, rows) in zip(closings, found) {
            let room = batch[index].marked.room.id
            let stored = try rows.all { row throws(StoreError) in ReceiptKey(owner: try row.tokenHash(), key: row.text()) }
            // And those that come with the batch itself.
            let new = batch[..<index].filter { $0.marked.room.id == room }.flatMap { $0.marked.roomReceipts.map(\.key) }
            batch[index].marked.closedKeys = Array(Set(stored + new))
        }
    }
}

extension MarkedChange {
    /// Whether it closes a room that is stored.
    var isClosing: Bool { room.isClosed && change.basedOn != nil }

    /// Has the room to ourselves, so that whatever somebody else keeps in it is there for the next statement to see, or comes later.
    var lockRoom: SQL { "SELECT id FROM room WHERE id = \(room.id) FOR UPDATE" }

    /// That no other answers go with the room than those that are deleted with it.
    var isAllFound: SQL {
        """
        NOT EXISTS (
          SELECT FROM room_receipt WHERE room = \(room.id)
            AND (owner, key) NOT IN (SELECT * FROM unnest(\(closedKeys.map(\.owner)), \(closedKeys.map(\.key)))))
        """
    }
}
