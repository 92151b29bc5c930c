internal import Glibc
internal import UseCases

/// The database's file, which is there once this value is.
struct DatabaseFile {
    /// Without links, so that one file has one lock whatever it is called.
    let path: String
    private let identity: FileStatus.Identity

    /// Finds the file at `path`, or creates it for its owner's eyes only. SQLite gives its side files the same mode.
    init(_ path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "./"
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard !["", ".", ".."].contains(name) else { throw StoreError("'\(path)' names no file for a database") }
        // Also where there is a file: its log and its lock come to stand beside it.
        guard access(directory, W_OK | X_OK) == 0 else { throw StoreError(errno: errno, "the database's directory \(directory)") }

        // Who has lost the file but not its log has not lost what stands in there, unless a new one is begun beside it: SQLite would
        // remove the log of another.
        let log = LogFile.name(of: path)
        if access(path, F_OK) != 0, (FileStatus(log)?.size ?? 0) > 0 {
            throw StoreError("the database \(path) is missing, but its log \(log) is there. Put it back, or move the log away, too")
        }
        // A file that is there is not even opened: closing it would drop the locks that this process may have on it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw StoreError(errno: errno, "the database \(path)")
        }
        guard let real = realpath(path, nil) else { throw StoreError(errno: errno, "the database \(path)") }
        defer { free(real) }
        self.path = String(cString: real)
        guard let status = FileStatus(self.path) else { throw StoreError(errno: errno, "the database \(path)") }
        guard status.isFile else { throw StoreError("the database \(path) is no file") }
        identity = status.identity
    }

    /// Whether the path still leads to the file that was opened. One that was deleted or replaced takes writes all the same, and nobody
    /// would ever find them again.
    var isInPlace: Bool { FileStatus(path)?.identity == identity }
}
