public import UseCases

// Under which key the members are known. A copy of another store marks the database before it brings the first room, by a key of no bytes,
// and gives it its key when all are there: until then no server may use it, though the copy broke off.
extension PostgresStore {
    /// What tells the key that the members in here are known under from others; `nil` in a new store.
    ///
    /// - Throws: also where not all rooms are there that a copy was to bring.
    public func keyFingerprint() throws(StoreError) -> [UInt8]? {
        try read { connection throws(StoreError) in try connection.keyFingerprint(within: limits.read) }
    }

    /// Sees to it that the members in here are known under the key with this fingerprint: a new store keeps it, an older one compares.
    ///
    /// - Throws: where they are known under another key, by which each of them would be a stranger, and as `keyFingerprint`.
    public func belong(toKey fingerprint: [UInt8]) throws(StoreError) {
        var kept = try keyFingerprint()
        if kept == nil { kept = try keep(fingerprint) }
        guard kept == fingerprint else {
            throw StoreError("the token key is not the one that the members in \(description) are known under. All its servers share one")
        }
    }

    /// Keeps servers out until `endCopy`, also where this process ends before. Where a copy broke off it goes on with that.
    ///
    /// - Throws: where a server uses it already.
    public func beginCopy() throws(StoreError) {
        guard try keep([]).isEmpty else { throw StoreError("the target is in use: a server has given it its key") }
    }

    /// Lets servers in that have the key with this fingerprint.
    public func endCopy(toKey fingerprint: [UInt8]) throws(StoreError) {
        let ended = try write { connection throws(StoreError) in
            try connection.write(
                ["UPDATE token_key SET fingerprint = \(blob: fingerprint) WHERE fingerprint = \(blob: [])"], within: limits.write
            ).first?.affected
        }
        guard ended == 1 else { throw StoreError("another copy to \(description) has ended meanwhile") }
    }

    /// Keeps a fingerprint unless there is one, and gives what is kept.
    private func keep(_ fingerprint: [UInt8]) throws(StoreError) -> [UInt8] {
        try write { connection throws(StoreError) in
            try connection.write(
                [
                    "INSERT INTO token_key (fingerprint) VALUES (\(blob: fingerprint)) ON CONFLICT DO NOTHING",
                    "SELECT fingerprint FROM token_key",
                ], within: limits.write
            ).last?.first { $0.bytes() } ?? []
        }
    }
}

extension Connection {
    /// See `PostgresStore.keyFingerprint`.
    func keyFingerprint(within limit: Duration) throws(StoreError) -> [UInt8]? {
        // In this order, for a server keeps its key before it opens the first room.
        let found = try run([AllShards.anyRoom, "SELECT fingerprint FROM token_key"], within: limit)
        let kept = found.last?.first { $0.bytes() }
        guard kept.map({ !$0.isEmpty }) ?? (found.first?.count == 0) else {
            throw StoreError(
                "\(uri): a copy to it is under way, or broke off before all rooms were there. Repeat hansang copy, or take an empty database"
            )
        }
        return kept
    }
}
