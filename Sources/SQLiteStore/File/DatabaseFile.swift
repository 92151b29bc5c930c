internal import Glibc
internal import UseCases

/// The database's file, which is there once this value is.
struct DatabaseFile {
    /// Without links, so that one file has one lock whatever it is called.
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// Finds the file at `path`, or creates it for its owner's eyes only. SQLite gives its side files the same mode.
    init(_ path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "./"
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard !["", ".", ".."].contains(name) else { throw StoreError("'\(path)' names no file for a database") }
        // Also where there is a file: its log and its lock come to stand beside it.
        guard access(directory, W_OK | X_OK) == 0 else { throw StoreError(errno: errno, "the database's directory \(directory)") }

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
        var status = stat()
        guard stat(real, &status) == 0 else { throw StoreError(errno: errno, "the database \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError("the database \(path) is no file") }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Whether the path still leads to the file that was opened. One that was deleted or replaced takes writes all the same, and nobody
    /// would ever find them again.
    var isInPlace: Bool {
        var status = stat()
        return stat(path, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }
}
