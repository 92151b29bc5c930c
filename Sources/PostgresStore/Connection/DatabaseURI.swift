internal import CPostgres
internal import UseCases

/// Where the database is and how it is connected to, in all that libpq understands: several hosts, `target_session_attrs`, `sslmode`.
///
/// It may hold a password, so nothing shows it, and what libpq says of it goes through `redact`.
struct DatabaseURI: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The hosts and the name of the database: what may be shown.
    let description: String
    var debugDescription: String { description }
    private let text: String
    private let secrets: [String]

    init(_ text: String) throws(StoreError) {
        guard ["postgres://", "postgresql://"].contains(where: text.hasPrefix) else {
            throw StoreError("the store's address does not begin with postgres://")
        }
        // Of a password with an @ or a / in it libpq would take a part for the host, and complain of that by its name.
        let authority = text.drop { $0 != "/" }.dropFirst(2)
        let ats = text.indices.filter { text[$0] == "@" }
        guard ats.isEmpty || ats.count == 1 && ats[0] < authority.firstIndex(of: "/") ?? text.endIndex else {
            throw StoreError("in the store's address, write an @ in a user or password as %40 and a / as %2F")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            // What follows is quoted from the address.
            let fault = message.map { String(cString: $0).prefix { $0 != "\"" && $0 != "\n" } } ?? "out of memory"
            throw StoreError("the store's address is none: \(fault)")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var secrets: [String] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val.map({ String(cString: $0) }) {
                values[String(cString: keyword)] = value
                // What libpq itself would show as stars.
                if option.pointee.dispchar.pointee == CChar(UInt8(ascii: "*")), !value.isEmpty { secrets.append(value) }
            }
            option += 1
        }
        self.text = text
        self.secrets = secrets
        description = Self.describe(values)
    }

    private static func describe(_ values: [String: String]) -> String {
        func list(_ name: String) -> [Substring] { values[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? [] }
        let ports = list("port")
        let hosts = list("host").isEmpty ? list("hostaddr") : list("host")
        let places = hosts.enumerated().map { number, host in
            let port = ports.count > 1 ? ports[min(number, ports.count - 1)] : ports.first ?? ""
            let name = host.contains(":") ? "[\(host)]" : String(host)
            return port.isEmpty ? name : "\(name):\(port)"
        }
        return "postgres://" + places.joined(separator: ",") + (values["dbname"].map { "/\($0)" } ?? "")
    }

    /// What libpq says, in one line and without any secret.
    func redact(_ message: String) -> String {
        var line = message.split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
        for secret in secrets { line = line.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…") }
        return line
    }

    /// One of those that the address names.
    struct Host: Hashable {
        let name: String
        let port: String
    }

    /// Begins to connect; `nil` where there is no memory.
    ///
    /// - Parameter host: takes the place of all that the address names.
    ///
    /// Of a name given twice libpq takes what comes last, so that the first are only defaults. What listens at the other end and says
    /// nothing is given up after seconds, and so is a connection that is in use (tcp(7), TCP_USER_TIMEOUT).
    func start(at host: Host?) -> OpaquePointer? {
        let defaults = [
            ("target_session_attrs", "read-write"), ("connect_timeout", "3"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"),
            ("keepalives_interval", "2"), ("keepalives_count", "3"), ("fallback_application_name", "hansang"),
        ]
        let only = host.map { [("host", $0.name), ("port", $0.port)] } ?? []
        let options = defaults + [("dbname", text), ("client_encoding", "UTF8")] + only
        return Self.withStrings(options.map(\.0)) { names in
            Self.withStrings(options.map(\.1)) { values in PQconnectStartParams(names, values, 1) }
        }
    }

    private static func withStrings<Value>(_ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        let bytes = strings.flatMap { $0.utf8CString }
        return bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            var pointers: [UnsafePointer<CChar>?] = []
            for string in strings {
                pointers.append(start)
                start = start?.advanced(by: string.utf8.count + 1)
            }
            return body(pointers + [nil])
        }
    }
}
