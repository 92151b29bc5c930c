import PostgresStore
import SQLiteStore
import UseCases

extension StoreLocation {
    /// Opens the store, and finds or makes the key under which its members are known.
    ///
    /// - Parameters:
    ///   - keyPath: `nil` for where it usually is.
    ///   - patience: how long to wait for another process of this machine that has a file.
    ///   - ready: called when all is done that can be done while another process has the store: with PostgreSQL, all.
    func open(
        keyPath: String?, patience: Duration = .zero, ready: () throws(FileError) -> Void = {}
    ) throws(FileError) -> (any ServerStore, TokenKey) {
        let path = keyPath ?? tokenKeyPath
        if path.hasPrefix("data/") { makeFolder("data") }
        let (store, key): (any ServerStore, TokenKey) =
            switch self {
            case .sqlite(let file): try Self.openFile(file, keyPath: path, patience: patience, ready: ready)
            case .postgres(let uri): try Self.connect(to: uri, keyPath: path)
            }
        guard let fingerprint = key.fingerprint else { throw FileError(description: "OpenSSL has no HMAC with SHA-256") }
        do throws(StoreError) { try store.belong(toKey: fingerprint) } catch { throw FileError(description: "\(self): \(error)") }
        if case .postgres = self { try ready() }
        return (store, key)
    }

    private static func openFile(
        _ path: String, keyPath: String, patience: Duration, ready: () throws(FileError) -> Void
    ) throws(FileError) -> (any ServerStore, TokenKey) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        guard isFolder(folder) else { throw FileError(description: "there is no folder \(folder) for the store") }
        // The key first: wherever a start breaks off, there is never a store without the key that it needs. A store that somebody has only
        // touched is as new as none.
        let exists = sizeOfFile(path) > 0 || sizeOfFile(path + "-wal") > 0
        let key: TokenKey
        do throws(FileError) { key = try TokenKey.load(from: keyPath, storeExists: exists) } catch {
            // What is no store, or somebody else's, needs no key: that is said first.
            if exists, patience == .zero { try openFile(path, patience: .zero).close() }
            throw error
        }
        try ready()
        return (try openFile(path, patience: patience), key)
    }

    private static func openFile(_ path: String, patience: Duration) throws(FileError) -> SQLiteStore {
        do throws(StoreError) { return try SQLiteStore(path: path, patience: patience) } catch {
            throw FileError(description: error.description)
        }
    }

    /// Of several servers that begin with a new store, the first one's key is the one that all have to have.
    private static func connect(to uri: String, keyPath: String) throws(FileError) -> (any ServerStore, TokenKey) {
        do throws(StoreError) {
            let store = try PostgresStore(uri: uri)
            let exists = try store.keyFingerprint() != nil
            do throws(FileError) { return (store, try TokenKey.load(from: keyPath, storeExists: exists)) } catch {
                store.close()
                throw StoreError(error.description)
            }
        } catch {
            throw FileError(description: error.description)
        }
    }
}
