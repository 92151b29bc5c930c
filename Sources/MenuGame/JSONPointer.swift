/// A JSON Pointer to `name` within what `parent` points to: `~` and `/` are escaped (RFC 6901 §3).
public func pointer(_ parent: String, _ name: String) -> String {
    var pointer = parent + "/"
    for scalar in name.unicodeScalars {
        switch scalar {
        case "~": pointer += "~0"
        case "/": pointer += "~1"
        default: pointer.unicodeScalars.append(scalar)
        }
    }
    return pointer
}
