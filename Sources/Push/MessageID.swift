import CCrypto
import UseCases

extension PushMessage.ID {
    /// The same message's id for good, on every server: a UUID of version 8 (RFC 9562 §5.8), made of a hash of what the message is.
    var uuid: String {
        let name = Array("hansang push \(room) \(order) \(registration)".utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(name, name.count, &digest)
        digest[6] = digest[6] & 0x0F | 0x80
        digest[8] = digest[8] & 0x3F | 0x80
        let hex = Array("0123456789abcdef")
        var text = ""
        for (index, byte) in digest.prefix(16).enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append("-") }
            text.append(hex[Int(byte >> 4)])
            text.append(hex[Int(byte & 15)])
        }
        return text
    }
}
