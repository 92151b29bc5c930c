import Glibc

/// An open file. Whoever opens it closes it.
struct FileDescriptor: Sendable {
    let number: Int32

    static let standardInput = FileDescriptor(number: STDIN_FILENO)
    static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    static let standardError = FileDescriptor(number: STDERR_FILENO)

    /// Writes all of `bytes`; returns whether it could.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return false }
        }
        return true
    }

    /// Everything up to the end; `nil` where it cannot be read or is longer than `limit`.
    func readAll(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            guard bytes.count + count <= limit else { return nil }
            bytes += chunk.prefix(count)
        }
    }

    func close() { _ = Glibc.close(number) }

    /// What the system says about the call that has just failed.
    static var lastError: String { String(cString: strerror(errno)) }
}

/// The content of a file, up to `limit` bytes.
func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw FileError(description: "\(path) cannot be read: \(FileDescriptor.lastError)") }
    let file = FileDescriptor(number: number)
    defer { file.close() }
    guard let bytes = file.readAll(limit: limit) else {
        throw FileError(description: "\(path) cannot be read, or is longer than \(limit) bytes")
    }
    return bytes
}

/// The names in a folder but those that begin with a dot, in no order.
func fileNames(in folder: String) throws(FileError) -> [String] {
    guard let directory = opendir(folder) else { throw FileError(description: "\(folder) cannot be read: \(FileDescriptor.lastError)") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// Writes a new file for its owner's eyes only; when this returns its content is on disk, and its name once its folder is.
func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw FileError(description: "\(path) cannot be written: \(FileDescriptor.lastError)") }
    let file = FileDescriptor(number: number)
    defer { file.close() }
    guard file.write(bytes), fsync(number) == 0 else {
        let reason = FileDescriptor.lastError
        unlink(path)
        throw FileError(description: "\(path) cannot be written: \(reason)")
    }
}

/// Whether anything has that name.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

func remove(_ path: String) { unlink(path) }

struct FileError: Error, CustomStringConvertible {
    let description: String
}

/// Makes a folder that only its owner may enter, unless it is there already.
func makeFolder(_ path: String) {
    if mkdir(path, 0o700) == 0 { syncFolder(of: path) }
}

/// A name is durable only once its folder is.
func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
}

/// Makes a file belong to whom its folder does, where we may.
func giveToOwnerOfFolder(_ path: String) {
    var status = stat()
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    guard geteuid() == 0, stat(folder, &status) == 0 else { return }
    _ = chown(path, status.st_uid, status.st_gid)
}

/// Whether there is a folder of that name.
func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Bytes of a file; 0 where there is none.
func sizeOfFile(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
