import GameJSON
import JSON
import MenuGame
import UseCases

/// The body of `PUT /v1/devices/me`.
struct DeviceWish {
    let platform: PushPlatform
    let pushToken: String
    /// The PIN of a live activity's room.
    let room: String?
    let language: Language

    /// - Parameter language: where the body names none that we speak.
    init(_ json: JSONValue?, language: Language) throws(Problem) {
        var reader = try BodyReader(json)
        let platform = Self.platform(&reader)
        let token = reader.string("pushToken")
        if let platform, let token, !platform.canHave(token: token) {
            reader.fault("/pushToken", ko: "이 서비스의 토큰이 아닙니다", en: "is no token of this service")
        }
        room = platform == .liveActivity ? reader.string("room") : nil
        self.language = Self.language(&reader) ?? language
        try reader.finish()
        guard let platform, let token else { throw Problem(.invalidBody) }
        self.platform = platform
        pushToken = token
    }

    private static func platform(_ reader: inout BodyReader) -> PushPlatform? {
        guard let name = reader.string("platform") else { return nil }
        if let platform = PushPlatform(rawValue: name) { return platform }
        let names = PushPlatform.allCases.map(\.rawValue).joined(separator: ", ")
        reader.fault("/platform", ko: "\(names) 중 하나여야 합니다", en: "has to be one of \(names)")
        return nil
    }

    /// By the first part of its tag (RFC 5646 §2.1).
    private static func language(_ reader: inout BodyReader) -> Language? {
        switch reader.json["locale"] {
        case nil, .null?: return nil
        case .string(let tag)?: return Language(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
        default:
            reader.fault(ShapeFault("/locale", .string))
            return nil
        }
    }
}
