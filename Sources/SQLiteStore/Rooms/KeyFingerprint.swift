internal import UseCases

extension Connection {
    /// What tells the key that the members are known under from others; `nil` where no server has used the database yet.
    ///
    /// - Throws: also where there are rooms and no key: a server keeps it before it opens the first, so it is not what a server has left.
    func keyFingerprint() throws(StoreError) -> [UInt8]? {
        if let kept = try first("SELECT fingerprint FROM token_key", { $0.bytes() }) { return kept }
        guard try first("SELECT 1 FROM room LIMIT 1", { $0.integer() }) == nil else {
            throw StoreError("the database has rooms and not the key that they belong to: it is no whole copy of a store")
        }
        return nil
    }
}
