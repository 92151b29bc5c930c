internal import Glibc
internal import UseCases

/// The database's place in the file system, found usable before SQLite sees it.
struct DatabaseFile {
    /// Without links, so that one file has one lock whatever it is called.
    let path: String

    init(_ path: String) throws(StoreError) {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, !path.hasSuffix("/"), name != ".", name != ".." else { throw StoreError("'\(path)' names no database file") }
        let directory = path.hasPrefix("/") ? "/" + path.dropFirst().dropLast(name.utf8.count) : "./" + path.dropLast(name.utf8.count)
        guard let realDirectory = Self.real(directory) else { throw StoreError(errno: errno, "the database's directory \(directory)") }
        self.path = Self.real(path) ?? "\(realDirectory == "/" ? "" : realDirectory)/\(name)"
        guard access(realDirectory, W_OK | X_OK) == 0 else { throw StoreError(errno: errno, "the database's directory \(directory)") }
    }

    /// Makes sure that there is a file, for its owner's eyes only. SQLite gives its side files the same mode.
    func create() throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Closing a descriptor drops the locks that this process has on the file: right here, before SQLite opens it, it has none.
        guard descriptor >= 0, Glibc.close(descriptor) == 0 else { throw StoreError(errno: errno, "the database \(path)") }
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
