import Glibc

/// The content of a file that holds a secret, up to `limit` bytes.
///
/// - Parameter name: what it is called where something is wrong with it.
/// - Throws: also where others than its owner may read it or write to it.
func secret(in path: String, named name: String, limit: Int) throws(FileError) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw FileError(description: "\(name) \(path) cannot be read: \(FileDescriptor.lastError)") }
    let file = FileDescriptor(number: number)
    defer { file.close() }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & 0o077 == 0 else {
        throw FileError(description: "\(name) \(path) can be read by others; chmod 600 it")
    }
    guard let bytes = file.readAll(limit: limit) else {
        throw FileError(description: "\(name) \(path) cannot be read, or is longer than \(limit) bytes")
    }
    return bytes
}
