import PostgresStore
import SQLiteStore
import UseCases

/// What a server asks of its store beyond the rooms.
protocol ServerStore: RoomStore, PushOutbox, PushRegistry, MeasuredStore {
    /// What tells the key that its members are known under from others; `nil` in a new store.
    func keyFingerprint() throws(StoreError) -> [UInt8]?

    /// Sees to it that its members are known under the key with this fingerprint: a new store keeps it, an older one compares.
    ///
    /// - Throws: where they are known under another key, by which each of them would be a stranger.
    func belong(toKey fingerprint: [UInt8]) throws(StoreError)

    /// Brings everything home and lets go of it. Afterwards every call fails.
    func close()
}

extension SQLiteStore: ServerStore {}
extension PostgresStore: ServerStore {}
