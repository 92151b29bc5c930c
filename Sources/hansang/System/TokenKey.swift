import CCrypto
import Glibc
import MenuGame

/// The secret under which device tokens are hashed, so that a copy of the database tells nobody's token.
struct TokenKey: Sendable {
    private let hmac: HMAC

    private init(bytes: [UInt8]) { hmac = HMAC(key: bytes) }

    static let length = 32

    /// Reads the key beside the store, or makes one for a store that is new.
    ///
    /// - Parameter storeExists: whether there are rooms already. With another key their members would all be strangers, so none is made.
    static func load(from path: String, storeExists: Bool) throws(FileError) -> TokenKey {
        if let key = try read(path) { return key }
        guard !storeExists else {
            throw FileError(description: "the token key \(path) is missing; without it nobody in the store is known. Put it back")
        }
        return try make(at: path)
    }

    /// The key at `path`; `nil` where there is none.
    static func read(_ path: String) throws(FileError) -> TokenKey? {
        if access(path, F_OK) != 0, errno == ENOENT { return nil }
        let bytes = try secret(in: path, named: "the token key", limit: length + 1)
        guard bytes.count == length else { throw FileError(description: "\(path) is no token key: it has to be \(length) bytes long") }
        return TokenKey(bytes: bytes)
    }

    /// Written under a name of its own and linked, so that there is never half a key, and of two servers that start at once, both have
    /// the key of the first.
    private static func make(at path: String) throws(FileError) -> TokenKey {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let draft = "\(path).\(UInt64.random(in: .min ... .max, using: &random))"
        try create(draft, bytes)
        defer { unlink(draft) }
        if link(draft, path) != 0 {
            let reason = FileDescriptor.lastError
            if let key = try read(path) { return key }
            throw FileError(description: "\(path) cannot be written: \(reason)")
        }
        syncFolder(of: path)
        return TokenKey(bytes: bytes)
    }

    /// Tells this key from another: a hash under it of what can be no token.
    var fingerprint: [UInt8]? {
        hmac.code(for: Array("the token key itself".utf8)[...]) { code in code.withUnsafeBufferPointer(Array.init) }
    }

    /// The hash under which a token is known; `nil` where it cannot be computed just now.
    func hash(_ token: ArraySlice<UInt8>) -> TokenHash? { hmac.code(for: token) { code in TokenHash(bytes: code) } }
}
