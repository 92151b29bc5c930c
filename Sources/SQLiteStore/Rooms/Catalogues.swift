internal import UseCases

extension Connection {
    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? {
        try first("SELECT bytes FROM catalogue WHERE fingerprint = \(fingerprint)") { $0.bytes() }
    }

    func catalogues() throws(StoreError) -> [String] {
        try all("SELECT fingerprint FROM catalogue ORDER BY key DESC") { $0.text() }
    }

    /// Keeps a catalogue, and drops those that no room is played with any more.
    func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try run("INSERT INTO catalogue (fingerprint, bytes) VALUES (\(fingerprint), \(blob: catalogue)) ON CONFLICT DO NOTHING")
            try run("DELETE FROM catalogue WHERE fingerprint <> \(fingerprint) AND key NOT IN (SELECT catalogue FROM room)")
        }
    }
}
