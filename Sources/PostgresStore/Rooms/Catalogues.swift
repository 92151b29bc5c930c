internal import UseCases

extension Connection {
    func catalogue(_ fingerprint: String, within limit: Duration) throws(StoreError) -> [UInt8]? {
        try run("SELECT bytes FROM catalogue WHERE fingerprint = \(fingerprint)", within: limit).first { $0.bytes() }
    }

    /// The fingerprints of all, the newest first.
    func catalogues(within limit: Duration) throws(StoreError) -> [String] {
        try run("SELECT fingerprint FROM catalogue ORDER BY kept_at DESC, fingerprint", within: limit).all { $0.text() }
    }

    /// Keeps a catalogue, and drops older ones that no room is played with. Not before nobody has kept one for long: another
    /// server may be about to open a room with it.
    func keep(catalogue: [UInt8], fingerprint: String, within limit: Duration) throws(StoreError) {
        let isOld: SQL = "kept_at < now() - make_interval(secs => \(Bounds.catalogueLifetime.components.seconds))"
        let results = try write(
            [
                """
                INSERT INTO catalogue (fingerprint, bytes) VALUES (\(fingerprint), \(blob: catalogue))
                ON CONFLICT (fingerprint) DO UPDATE SET kept_at = now()
                """, "SELECT fingerprint FROM catalogue WHERE \(isOld)",
            ], within: limit)
        let old = results.last?.all { $0.text() } ?? []
        guard !old.isEmpty else { return }
        let rooms = try run(old.map(AllShards.rooms(playedWith:)), within: limit)
        let unused = zip(old, rooms).filter { $1.count == 0 }.map(\.0)
        _ = try write(["DELETE FROM catalogue WHERE fingerprint = ANY(\(unused)) AND \(isOld)"], within: limit)
    }
}
