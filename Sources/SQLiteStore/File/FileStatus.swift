internal import Glibc

/// What stat(2) says of a path.
struct FileStatus {
    /// Tells one file from another, whatever they are called.
    struct Identity: Equatable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
    }

    let identity: Identity
    /// Bytes.
    let size: Int
    /// Whether it is a file, and no folder or device.
    let isFile: Bool

    /// `nil` where nothing is there, or nobody may know; then `errno` says why.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int(status.st_size)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }
}
