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
    guard fstat(number, &status) == 0, isSecret(path, mode: status.st_mode) else {
        throw FileError(description: "\(name) \(path) can be read by others; chmod 600 it")
    }
    guard let bytes = file.readAll(limit: limit) else {
        throw FileError(description: "\(name) \(path) cannot be read, or is longer than \(limit) bytes")
    }
    return bytes
}

/// Whether a file's mode keeps others than its owner from it.
///
/// The group does not count below the folder of what systemd hands over (`LoadCredential=`, systemd.exec(5)): there it is an ACL that lets
/// in the service, and no other, and the mask of one shows where the group's bits are (acl(5)).
///
/// - Parameter credentials: that folder; `nil` for none.
func isSecret(
    _ path: String, mode: mode_t, credentials: String? = environmentVariables()["CREDENTIALS_DIRECTORY"]
) -> Bool {
    if mode & 0o077 == 0 { return true }
    guard mode & 0o007 == 0, let credentials, let folder = resolved(credentials), let file = resolved(path) else { return false }
    return file.hasPrefix("\(folder)/")
}

/// A path without links and dots in it; `nil` where nothing is there.
private func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
}
