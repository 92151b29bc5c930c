public import JSON

/// A response as it came over the wire.
public struct WireAnswer: Sendable {
    public let status: Int
    public let fields: [(name: String, value: String)]
    public let body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }
    public var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    /// The stable code of a problem document.
    public var code: String? { json["code"]?.string }

    public subscript(field: String) -> String? { fields.first { $0.name.lowercased() == field.lowercased() }?.value }

    /// Reads a head, without the empty line at its end.
    static func head(_ bytes: ArraySlice<UInt8>) throws(WireError) -> (status: Int, fields: [(name: String, value: String)]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let words = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { throw .notHTTP(text) }
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .notHTTP(text) }
            fields.append((String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
        return (status, fields)
    }
}

/// Why there is no answer.
public enum WireError: Error {
    /// A call of the system failed.
    case system(String, errno: Int32)
    /// Nothing came, or nothing was taken, for as long as the client is patient.
    case timedOut
    /// The server ended the connection.
    case closed
    case notHTTP(String)
}
