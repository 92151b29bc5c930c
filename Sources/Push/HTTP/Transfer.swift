import CCurl

/// One request on its way, as libcurl's easy handle. It belongs to the client's queue.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    private let completion: @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var body: [UInt8] = []
    private var isTooLong = false

    /// - Parameters:
    ///   - authorities: a file of certificates; the system's where `nil`.
    ///   - timeout: milliseconds until it is given up.
    /// - Returns: `nil` where libcurl has no memory for it.
    init?(
        _ request: HTTPRequest, authorities: String?, timeout: Int,
        completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.completion = completion
        for (name, value) in request.fields { fields = curl_slist_append(fields, "\(name): \(value)") }
        set(CURLOPT_URL, request.url)
        // Nothing but what was asked for: no other protocol, no other place, nobody in between.
        set(CURLOPT_PROTOCOLS_STR, "https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, "")
        if let authorities { set(CURLOPT_CAINFO, authorities) }
        // HTTP/2 as TLS negotiates it. Whoever comes first waits to learn whether a connection can be shared, in place of opening another.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_PIPEWAIT, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, PushLimits.connectTimeout)
        set(CURLOPT_TIMEOUT_MS, timeout)
        hansang_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE, request.body.count)
        request.body.withUnsafeBytes { _ = hansang_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        hansang_curl_on_write(
            easy,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
    }

    /// To be called once, when it is no longer the multi handle's.
    func finish(_ code: CURLcode) {
        guard code == CURLE_OK else {
            let reason = isTooLong ? "the answer is too long" : String(cString: curl_easy_strerror(code))
            return completion(.failure(HTTPFailure(description: reason)))
        }
        var status = 0
        hansang_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        completion(.success(HTTPResponse(status: status, retryAfter: field("retry-after"), body: body)))
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= PushLimits.responseBody else {
            isTooLong = true
            return 0  // another number than was given fails the transfer
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    private func field(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header else { return nil }
        return String(cString: header.pointee.value)
    }

    private func set(_ option: CURLoption, _ value: Int) { hansang_curl_set_long(easy, option, value) }

    /// libcurl copies texts.
    private func set(_ option: CURLoption, _ text: String) { text.withCString { _ = hansang_curl_set_pointer(easy, option, $0) } }
}
