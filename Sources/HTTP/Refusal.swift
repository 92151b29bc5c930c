/// What the protocol itself answers to a request that it will not hand on. The connection closes after it: where a request could
/// not be understood, nobody knows where the next one begins (RFC 9112 §2.2, §11.2).
public struct Refusal: Error, Hashable, Sendable {
    /// 400, 408, 413, 414, 417, 431, 501 or 505.
    public let status: Status

    static let malformed = Refusal(status: Status(400))
    static let timedOut = Refusal(status: Status(408))
    static let bodyTooLarge = Refusal(status: Status(413))
    static let targetTooLong = Refusal(status: Status(414))
    static let expectationFailed = Refusal(status: Status(417))
    static let fieldsTooLarge = Refusal(status: Status(431))
    static let notImplemented = Refusal(status: Status(501))
    static let versionNotSupported = Refusal(status: Status(505))

    /// The stable name of the reason, for programs.
    var code: StaticString {
        switch self {
        case .bodyTooLarge: "body-too-large"
        case .fieldsTooLarge: "headers-too-large"
        default: "malformed-request"
        }
    }

    /// What was wrong, for people.
    var detail: StaticString {
        switch self {
        case .timedOut: "The request did not come in time."
        case .bodyTooLarge: "The body is larger than is taken."
        case .targetTooLong: "The target is longer than is taken."
        case .expectationFailed: "Expect names something other than 100-continue."
        case .fieldsTooLarge: "The fields are more or larger than is taken."
        case .notImplemented: "The transfer coding or the method is not known."
        case .versionNotSupported: "The version is not HTTP/1.0 or HTTP/1.1."
        default: "The bytes are no request of HTTP/1.1, or could be understood in two ways."
        }
    }

    /// The refusal as problem details (RFC 9457), in English; it quotes nothing of the request.
    public var response: Response {
        var body: [UInt8] = []
        body.reserveCapacity(256)
        body.append("{\"type\":\"about:blank\",\"title\":\"")
        body.append(status.reasonPhrase)
        body.append("\",\"status\":")
        body.append(decimal: status.code)
        body.append(",\"detail\":\"")
        body.append(detail)
        body.append("\",\"code\":\"")
        body.append(code)
        body.append("\"}")
        let fields = [Field(FieldName("Content-Type"), "application/problem+json"), Field(FieldName("Content-Language"), "en")]
        return Response(status, fields: fields, body: body)
    }
}
