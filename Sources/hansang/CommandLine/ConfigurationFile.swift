/// A file of options, one a line, under the names of the flags:
///
///     # Where the proxy finds it.
///     port = 8080
///     trust-proxy = true
///
/// Space around a name and a value counts for nothing. What begins with `#` is a comment; within a value it is a character like any other,
/// and so are quotation marks.
struct ConfigurationFile {
    struct Entry {
        let value: String
        /// From 1.
        let line: Int
    }

    let path: String
    private(set) var entries: [String: Entry] = [:]

    /// Bytes that one may be long.
    private static let limit = 1 << 20

    init(_ path: String) throws(UsageError) {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try contents(of: path, limit: Self.limit) } catch {
            throw UsageError(description: error.description, status: .noInput)
        }
        try self.init(path, bytes)
    }

    init(_ path: String, _ bytes: [UInt8]) throws(UsageError) {
        self.path = path
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError(description: "\(path) is no text in UTF-8") }
        // A carriage return and the line feed behind it are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.trimmed
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            guard let equals = content.firstIndex(of: "=") else {
                throw UsageError(description: "\(path):\(index + 1): there is no = in it")
            }
            let name = String(content[..<equals].trimmed)
            if let former = entries[name] {
                throw UsageError(description: "\(path):\(index + 1): \(name) was set in line \(former.line) already")
            }
            entries[name] = Entry(value: String(content[content.index(after: equals)...].trimmed), line: index + 1)
        }
    }
}

extension Substring {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
