internal import UseCases

extension Connection {
    func catalogue(_ fingerprint: String, within limit: Duration) throws(StoreError) -> [UInt8]? {
        try run("SELECT bytes FROM catalogue WHERE fingerprint = \(fingerprint)", within: limit).first { $0.bytes() }
    }

    /// The fingerprints of all, the newest first.
    func catalogues(within limit: Duration) throws(StoreError) -> [String] {
        try run("SELECT fingerprint FROM catalogue ORDER BY kept_at DESC, fingerprint", within: limit).all { $0.text() }
    }

    /// Keeps a catalogue, and drops older ones that no room is played with. Not all of them: another server may be about to open a room with
    /// the one that it was started with.
    func keep(catalogue: [UInt8], fingerprint: String, within limit: Duration) throws(StoreError) {
        _ = try write(
            [
                """
                INSERT INTO catalogue (fingerprint, bytes) VALUES (\(fingerprint), \(blob: catalogue))
                ON CONFLICT (fingerprint) DO UPDATE SET kept_at = now()
                """,
                """
                DELETE FROM catalogue
                WHERE fingerprint IN (SELECT fingerprint FROM catalogue ORDER BY kept_at DESC, fingerprint OFFSET \(Self.unusedCatalogues))
                  AND NOT EXISTS (SELECT FROM room WHERE room.catalogue = catalogue.fingerprint)
                """,
            ], within: limit)
    }

    /// Catalogues that are kept though no room is played with them: the newest.
    static let unusedCatalogues = 16
}
