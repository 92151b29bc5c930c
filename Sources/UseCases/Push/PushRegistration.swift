public import MenuGame

/// Who brings messages to devices.
public enum PushService: String, CaseIterable, Sendable {
    /// Firebase Cloud Messaging.
    case fcm
    /// Apple Push Notification service.
    case apns
}

/// What a push token is a token of. The names are those of the API.
public enum PushPlatform: String, CaseIterable, Sendable {
    case fcm, apns
    /// One live activity on a lock screen; it belongs to one room.
    case liveActivity = "apns-live-activity"

    public var service: PushService { self == .fcm ? .fcm : .apns }

    /// Bytes of a push token.
    public static let tokenLength = 1...1024

    /// Whether a token of its service can look like this: visible ASCII, and hexadecimal with Apple, where it becomes a part of an address.
    public func canHave(token: String) -> Bool {
        guard Self.tokenLength.contains(token.utf8.count) else { return false }
        return token.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
            default: service == .fcm && (0x21...0x7E).contains(byte)
            }
        }
    }
}

/// Where a device wants to be told.
public struct PushRegistration: Hashable, Sendable {
    /// Of the registration as the store knows it; not a secret.
    public let id: Int64
    public let platform: PushPlatform
    /// The service's own address of the device. Whoever has it and our keys can write to its screen: never logged and never returned.
    public let pushToken: String
    public let language: Language
    /// When the device last said so.
    public let registeredAt: Instant

    public init(id: Int64, platform: PushPlatform, pushToken: String, language: Language, registeredAt: Instant) {
        self.id = id
        self.platform = platform
        self.pushToken = pushToken
        self.language = language
        self.registeredAt = registeredAt
    }
}
