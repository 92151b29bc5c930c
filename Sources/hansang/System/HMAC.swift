import CCrypto
import Synchronization

/// HMAC-SHA-256 (RFC 2104) under one key, by OpenSSL.
///
/// A context that has absorbed the key is kept and begun anew for each message: to look the algorithm up again takes longer than to hash
/// a token with it.
final class HMAC: Sendable {
    /// `@unchecked Sendable` because whoever takes one out of `idle` is the only one to have it until it is put back.
    private final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(key: [UInt8]) {
            guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
            defer { EVP_MAC_free(algorithm) }
            guard let pointer = EVP_MAC_CTX_new(algorithm) else { return nil }
            self.pointer = pointer
            var digest = Array("SHA256".utf8CString)
            let isReady = digest.withUnsafeMutableBufferPointer { digest in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string("digest", digest.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(pointer, key, key.count, parameters) == 1
            }
            guard isReady else { return nil }
        }

        deinit { EVP_MAC_CTX_free(pointer) }
    }

    private let key: [UInt8]
    private let idle = Mutex<[Context]>([])

    init(key: [UInt8]) { self.key = key }

    /// - Parameter read: given the 32 bytes of the code, which are gone afterwards.
    /// - Returns: what `read` does; `nil` where OpenSSL has no memory or no such algorithm.
    func code<Result>(for message: ArraySlice<UInt8>, _ read: (Span<UInt8>) -> Result?) -> Result? {
        guard let context = idle.withLock({ $0.popLast() }) ?? Context(key: key) else { return nil }
        defer { idle.withLock { $0.append(context) } }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.length) { code in
            var count = 0
            let isDone = message.withUnsafeBufferPointer { message in
                EVP_MAC_init(context.pointer, nil, 0, nil) == 1
                    && EVP_MAC_update(context.pointer, message.baseAddress, message.count) == 1
                    && EVP_MAC_final(context.pointer, code.baseAddress, &count, code.count) == 1
            }
            return isDone && count == code.count ? read(UnsafeBufferPointer(code).span) : nil
        }
    }

    private static let length = 32
}
