import MenuGame

// What nobody may have more of.
extension WriterBatch {
    /// Nobody opens rooms without end.
    func limitRooms(of token: TokenHash) throws(Failure) {
        let ends = try known().expiries[token, default: []]
        guard ends.count + opened[token, default: 0] >= settings.roomsPerToken else { return }
        let first = ends.min() ?? now.advanced(by: settings.lifetime)
        throw .tooManyRooms(untilFirstEnds: .milliseconds(first.milliseconds &- now.milliseconds))
    }

    /// Nobody has answers kept without end.
    func limitReceipts(of owner: TokenHash) throws(Failure) {
        let kept = try known().bytesOfOwners[owner, default: 0]
        guard kept + claimedBytes[owner, default: 0] < Bounds.receiptBytesPerToken else { throw .tooManyReceipts }
    }

    /// Nor has a room, whose answers may be as large as itself.
    func limitReceipts(of working: Working) throws(Failure) {
        guard working.basedOn != nil else { return }
        let kept = try known().bytesInRooms[working.room.id, default: 0]
        guard kept + working.receipts.reduce(0, { $0 + $1.size }) < Bounds.receiptBytesPerRoom else { throw .tooManyReceipts }
    }
}
