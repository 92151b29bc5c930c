import CCrypto
import JSON

/// JSON Web Tokens (RFC 7519), signed (RFC 7515 §3.1, compact).
enum JWT {
    /// - Parameters:
    ///   - keyID: the name under which the service knows the key; not said where `nil`.
    ///   - claims: writes the members of the claims.
    /// - Returns: `nil` where OpenSSL has no memory.
    static func signed(by key: SigningKey, keyID: String?, claims: (inout JSONWriter) -> Void) -> String? {
        var header = JSONWriter(reserving: 64)
        header.object { writer in
            writer.member("alg", key.algorithm.rawValue)
            if let keyID { writer.member("kid", keyID) }
            writer.member("typ", "JWT")
        }
        var body = JSONWriter(reserving: 256)
        body.object(claims)
        let input = "\(base64URL(header.bytes)).\(base64URL(body.bytes))"
        return key.sign(Array(input.utf8)).map { "\(input).\(base64URL($0))" }
    }

    /// RFC 4648 §5, without padding (RFC 7515 §2).
    static func base64URL(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = Int(EVP_EncodeBlock(&text, bytes, Int32(clamping: bytes.count)))
        let translated = text.prefix(count).compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: translated, as: UTF8.self)
    }
}
