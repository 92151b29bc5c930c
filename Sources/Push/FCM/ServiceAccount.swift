import JSON

/// Who we are to Google: a service account's file as its console hands it out.
public struct ServiceAccount: Sendable {
    let key: SigningKey
    let keyID: String?
    /// Of the account, which it goes by.
    let email: String
    let project: String
    /// Where access tokens are given out.
    let tokenURL: String

    /// - Parameter file: the file's content, JSON.
    public init(file: [UInt8]) throws(ConfigurationError) {
        guard let json = try? JSONValue(parsing: file), json["type"]?.string == "service_account" else {
            throw ConfigurationError(description: "the FCM credentials are no service account's JSON file")
        }
        func text(_ name: String) throws(ConfigurationError) -> String {
            guard let text = json[name]?.string, !text.isEmpty else {
                throw ConfigurationError(description: "the FCM service account's file has no \(name)")
            }
            return text
        }
        email = try text("client_email")
        project = try text("project_id")
        guard project.utf8.allSatisfy(Self.isProjectByte) else {
            throw ConfigurationError(description: "the FCM service account's project_id is none")
        }
        tokenURL = try text("token_uri")
        guard tokenURL.hasPrefix("https://") else {
            throw ConfigurationError(description: "the FCM service account's token_uri is no https:// address")
        }
        keyID = json["private_key_id"]?.string
        guard let key = SigningKey(pem: Array(try text("private_key").utf8), for: .rs256) else {
            throw ConfigurationError(description: "the FCM service account's private_key is no RSA key of 2048 bits or more in PEM")
        }
        self.key = key
    }

    /// It becomes a part of an address. Old projects have a domain and a colon in front.
    private static func isProjectByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
