/// Who we are to the Apple Push Notification service.
public struct APNsConfiguration: Sendable {
    let key: SigningKey
    let keyID: String
    let team: String
    /// Of the app.
    let bundle: String
    let origin: String

    public static let production = "https://api.push.apple.com"

    /// - Parameters:
    ///   - key: the content of the `.p8` file.
    ///   - keyID: the key's, ten characters.
    ///   - team: the developer's, ten characters.
    ///   - bundle: the app's bundle id.
    ///   - origin: `https://` and a host; the sandbox and the tests have others.
    public init(key: [UInt8], keyID: String, team: String, bundle: String, origin: String = production) throws(ConfigurationError) {
        guard let key = SigningKey(pem: key, for: .es256) else {
            throw ConfigurationError(description: "the APNs key is no private key on P-256 in PEM, as in Apple's .p8 files")
        }
        // They stand in fields of requests and in tokens.
        for (name, value) in [("key id", keyID), ("team id", team), ("bundle id", bundle)] {
            guard !value.isEmpty, value.utf8.count <= 255, value.utf8.allSatisfy(Self.isAllowed) else {
                throw ConfigurationError(description: "the APNs \(name) has to be letters, digits, dots and hyphens")
            }
        }
        guard origin.hasPrefix("https://") else { throw ConfigurationError(description: "APNs is reached by https:// only") }
        self.key = key
        self.keyID = keyID
        self.team = team
        self.bundle = bundle
        self.origin = origin
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
