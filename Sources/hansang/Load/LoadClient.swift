import CCurl

/// One connection of the load, which is kept: by libcurl, so that it speaks to whatever stands in front of a server, too. Blocks.
///
/// Belongs to one thread at a time.
final class LoadClient {
    struct Answer {
        let status: Int
        let body: [UInt8]
    }

    /// What libcurl says where there is no answer.
    struct NoAnswer: Error {
        let description: String
    }

    private final class Body {
        var bytes: [UInt8] = []
    }

    private let handle: UnsafeMutableRawPointer
    private let base: String
    private let body = Body()

    /// Milliseconds that an answer may take.
    private static let patience = 30_000

    /// Once, before there are threads (libcurl, curl_global_init).
    static func begin() { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }

    /// - Parameter base: what stands before each path: `http://127.0.0.1:8080`.
    init?(_ base: String) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.base = base
        hansang_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        hansang_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.patience)
        hansang_curl_on_write(
            handle,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
                body.bytes += UnsafeRawBufferPointer(start: bytes, count: size * count)
                return size * count
            }, Unmanaged.passUnretained(body).toOpaque())
    }

    deinit { curl_easy_cleanup(handle) }

    func ask(_ method: String, _ path: String, token: String? = nil, json: String? = nil) throws(NoAnswer) -> Answer {
        body.bytes.removeAll(keepingCapacity: true)
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        if let token { fields = curl_slist_append(fields, "Authorization: Bearer \(token)") }
        // Without a type of ours libcurl would name that of forms.
        fields = curl_slist_append(fields, json == nil ? "Content-Type:" : "Content-Type: application/json")
        let isBodyless = json == nil && method == "GET"
        // Setting this one forgets the method, which therefore comes after it.
        hansang_curl_set_long(handle, isBodyless ? CURLOPT_HTTPGET : CURLOPT_POST, 1)
        let text = Array((json ?? "").utf8)
        let code: CURLcode = withUnsafePointers(base + path, method, text) { url, method, bytes in
            hansang_curl_set_pointer(handle, CURLOPT_URL, url)
            hansang_curl_set_pointer(handle, CURLOPT_CUSTOMREQUEST, method)
            hansang_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
            if !isBodyless {
                hansang_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, text.count)
                hansang_curl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes)
            }
            return curl_easy_perform(handle)
        }
        guard code == CURLE_OK else { throw NoAnswer(description: String(cString: curl_easy_strerror(code))) }
        var status = 0
        hansang_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return Answer(status: status, body: body.bytes)
    }

    private func withUnsafePointers<Value>(
        _ url: String, _ method: String, _ bytes: [UInt8], _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?) -> Value
    ) -> Value {
        url.withCString { url in
            method.withCString { method in bytes.withUnsafeBytes { bytes in body(url, method, bytes.baseAddress) } }
        }
    }
}
