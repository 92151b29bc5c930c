import CCrypto

/// SHA-256 in hexadecimal: the fingerprint of a catalogue.
func sha256(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = SHA256(bytes, bytes.count, &digest)
    let hex = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] }, as: UTF8.self)
}
