import Glibc

/// The variables of the process's environment.
func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 { variables[parts[0]] = parts[1] }
        entry += 1
    }
    return variables
}
