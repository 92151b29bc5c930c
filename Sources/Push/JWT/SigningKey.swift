import CCrypto

/// A private key that tokens are signed with, by OpenSSL.
///
/// `@unchecked Sendable` because OpenSSL's keys are not changed once they are made, and then any thread may sign with them.
final class SigningKey: @unchecked Sendable {
    /// How it signs (RFC 7518 §3.1).
    enum Algorithm: String, Sendable {
        /// RSASSA-PKCS1-v1_5 with SHA-256, as Google's service accounts do.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256, as APNs wants it.
        case es256 = "ES256"
    }

    let algorithm: Algorithm
    private let key: OpaquePointer

    /// - Parameter pem: a private key without a passphrase, PKCS #8 as both services hand them out.
    /// - Returns: `nil` where it is none for this algorithm. Keys of RSA have at least 2,048 bits (RFC 7518 §3.3).
    init?(pem: [UInt8], for algorithm: Algorithm) {
        guard let key = Self.read(pem) else { return nil }
        guard Self.fits(key, algorithm) else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
        self.algorithm = algorithm
    }

    deinit { EVP_PKEY_free(key) }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        // OpenSSL reads the bytes where they are.
        pem.withUnsafeBytes { bytes in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(file) }
            // Without a function of ours, OpenSSL would ask for a passphrase at the terminal.
            guard let key = PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil) else {
                ERR_clear_error()
                return nil
            }
            return key
        }
    }

    /// The signature as it stands in a token; `nil` where OpenSSL has no memory.
    func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { return nil }
        signature.removeLast(signature.count - count)
        return algorithm == .es256 ? Self.plain(signature) : signature
    }

    /// RFC 7518 §3.4: r and s, each of 32 bytes, in place of the ASN.1 that OpenSSL writes.
    private static func plain(_ asn1: [UInt8]) -> [UInt8]? {
        asn1.withUnsafeBufferPointer { bytes in
            var at = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &at, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var plain = [UInt8](repeating: 0, count: 64)
            let isDone = plain.withUnsafeMutableBufferPointer { plain in
                BN_bn2binpad(ECDSA_SIG_get0_r(signature), plain.baseAddress, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), plain.baseAddress.map { $0 + 32 }, 32) == 32
            }
            return isDone ? plain : nil
        }
    }

    private static func fits(_ key: OpaquePointer, _ algorithm: Algorithm) -> Bool {
        switch algorithm {
        case .rs256: EVP_PKEY_is_a(key, "RSA") == 1 && EVP_PKEY_get_bits(key) >= 2048
        case .es256: EVP_PKEY_is_a(key, "EC") == 1 && curve(of: key) == "prime256v1"
        }
    }

    private static func curve(of key: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
