/// Where rooms are kept, as `--store` says.
enum StoreLocation: Hashable, Sendable, CustomStringConvertible {
    /// A file on this machine.
    case sqlite(path: String)
    /// A server's address, as libpq reads it (§34.1.1.2). It may hold a password.
    case postgres(uri: String)

    init?(_ text: String) {
        if let path = text.dropping(prefix: "sqlite:") {
            self = .sqlite(path: path)
        } else if text.dropping(prefix: "postgres://") != nil || text.dropping(prefix: "postgresql://") != nil {
            self = .postgres(uri: text)
        } else {
            return nil
        }
    }

    static let `default` = StoreLocation.sqlite(path: "data/hansang.sqlite")

    /// Where the key is kept if nobody says: beside a file, and for a server where this one works.
    var tokenKeyPath: String {
        switch self {
        case .sqlite(let path): path + ".key"
        case .postgres: "data/hansang.key"
        }
    }

    /// Without a password.
    var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let uri): masked(uri)
        }
    }
}

extension String {
    /// What comes after `prefix`; `nil` where it is not there, or nothing after it.
    fileprivate func dropping(prefix: String) -> String? {
        hasPrefix(prefix) && utf8.count > prefix.utf8.count ? String(dropFirst(prefix.count)) : nil
    }
}
