import JSON
import Testing

@testable import Push

@Suite("A signing key") struct SigningKeyTests {
    private func made(_ pem: String, _ algorithm: SigningKey.Algorithm) -> SigningKey? { SigningKey(pem: Array(pem.utf8), for: algorithm) }

    @Test("is of the kind that the service wants, or none") func kinds() {
        #expect(made(TestKeys.p256, .es256) != nil)
        #expect(made(TestKeys.rsa2048, .rs256) != nil)
        #expect(made(TestKeys.p256, .rs256) == nil)
        #expect(made(TestKeys.rsa2048, .es256) == nil)
        #expect(made(TestKeys.p384, .es256) == nil)
        #expect(made(TestKeys.rsa1024, .rs256) == nil)
        // It is not asked for at the terminal either.
        #expect(made(TestKeys.encrypted, .es256) == nil)
        #expect(made("", .es256) == nil)
        #expect(made("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .es256) == nil)
    }

    @Test("on P-256 signs with r and s of 32 bytes each, whatever zeros they begin with") func plain() throws {
        let key = try #require(made(TestKeys.p256, .es256))
        // One in 128 has a zero in front of r or s.
        for number in 0..<1000 { #expect(key.sign(Array("\(number)".utf8))?.count == 64) }
    }

    @Test("of RSA signs the same the same") func rsa() throws {
        let key = try #require(made(TestKeys.rsa2048, .rs256))
        #expect(key.sign([1, 2, 3])?.count == 256)
        #expect(key.sign([1, 2, 3]) == key.sign([1, 2, 3]))
    }

    @Test("makes tokens of three parts in base64url without padding") func token() throws {
        let key = try #require(made(TestKeys.p256, .es256))
        let token = try #require(JWT.signed(by: key, keyID: "k") { $0.member("iss", "team") })
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        #expect(parts[0] == JWT.base64URL(Array(#"{"alg":"ES256","kid":"k","typ":"JWT"}"#.utf8)))
        #expect(parts[1] == JWT.base64URL(Array(#"{"iss":"team"}"#.utf8)))
        #expect(parts[2].count == 86)
    }

    @Test("'s tokens are written as RFC 4648 has it, §5 and §10") func base64() {
        #expect(
            ["", "f", "fo", "foo", "foob", "fooba"].map { JWT.base64URL(Array($0.utf8)) } == ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE"])
        #expect(JWT.base64URL([0xFB, 0xEF, 0xFF]) == "--__")
    }
}

@Suite("What push is set up with") struct PushConfigurationTests {
    private func account(_ change: (inout [String: String]) -> Void) -> [UInt8] {
        var members = [
            "type": "service_account", "project_id": "p", "client_email": "a@b", "token_uri": "https://localhost/token",
            "private_key": TestKeys.rsa2048,
        ]
        change(&members)
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members {
                writer.name(text: name)
                writer.string(value)
            }
        }
        return writer.bytes
    }

    @Test("is a service account's file, or what is wrong with it") func serviceAccount() throws {
        #expect(throws: Never.self) { try ServiceAccount(file: account { _ in }) }
        #expect(throws: ConfigurationError(description: "the FCM credentials are no service account's JSON file")) {
            try ServiceAccount(file: account { $0["type"] = "authorized_user" })
        }
        #expect(throws: ConfigurationError(description: "the FCM credentials are no service account's JSON file")) {
            try ServiceAccount(file: Array("not JSON".utf8))
        }
        for name in ["project_id", "client_email", "token_uri", "private_key"] {
            #expect(throws: ConfigurationError(description: "the FCM service account's file has no \(name)")) {
                try ServiceAccount(file: account { $0[name] = nil })
            }
        }
        #expect(throws: ConfigurationError.self) { try ServiceAccount(file: account { $0["token_uri"] = "http://localhost/token" }) }
        #expect(throws: ConfigurationError.self) { try ServiceAccount(file: account { $0["project_id"] = "p/../q" }) }
        #expect(throws: ConfigurationError.self) { try ServiceAccount(file: account { $0["private_key"] = TestKeys.p256 }) }
    }

    @Test("is an APNs key with its names, or what is wrong with them") func apns() throws {
        func make(
            key: String = TestKeys.p256, keyID: String = "A", team: String = "B", bundle: String = "c.d", origin: String = "https://x"
        ) throws {
            _ = try APNsConfiguration(key: Array(key.utf8), keyID: keyID, team: team, bundle: bundle, origin: origin)
        }
        #expect(throws: Never.self) { try make() }
        #expect(throws: ConfigurationError.self) { try make(key: TestKeys.rsa2048) }
        #expect(throws: ConfigurationError.self) { try make(keyID: "") }
        #expect(throws: ConfigurationError.self) { try make(team: "a\r\nb: c") }
        #expect(throws: ConfigurationError.self) { try make(bundle: "c d") }
        #expect(throws: ConfigurationError.self) { try make(origin: "http://x") }
    }

    @Test("is never quoted in what is wrong with it") func silence() {
        do {
            _ = try ServiceAccount(file: account { $0["private_key"] = TestKeys.rsa1024 })
            Issue.record("a key of 1024 bits was taken")
        } catch {
            #expect(!"\(error)".contains("BEGIN") && !"\(error)".contains("a@b"))
        }
    }
}
