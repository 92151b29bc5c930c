import JSON
import TestSupport

@testable import hansang

extension StandIn {
    /// The flags with which a server tells phones through this.
    var flags: [String] {
        [
            "--push-fcm", path("account.json"), "--push-fcm-url", origin, "--push-apns-key", path("key.p8"), "--push-apns-key-id",
            "ABC123DEFG",
            "--push-apns-team", "TEAM123456", "--push-apns-topic", "com.example.hansang", "--push-apns-url", origin, "--push-ca",
            authorities,
        ]
    }

    /// The same for a server inside the test's process.
    func configure(_ configuration: inout ServeConfiguration) {
        configuration.push.fcmPath = path("account.json")
        configuration.push.fcmURL = origin
        configuration.push.apnsKeyPath = path("key.p8")
        configuration.push.apnsKeyID = "ABC123DEFG"
        configuration.push.apnsTeam = "TEAM123456"
        configuration.push.apnsTopic = "com.example.hansang"
        configuration.push.apnsURL = origin
        configuration.push.authoritiesPath = authorities
    }
}

extension WireClient {
    /// Registers a device for push.
    func register(_ token: String, _ platform: String, _ pushToken: String, room: String? = nil) async throws {
        let room = room.map { #","room":"\#($0)""# } ?? ""
        let answer = try await send(
            "PUT", "/v1/devices/me", token: token, json: #"{"platform":"\#(platform)","pushToken":"\#(pushToken)","locale":"en"\#(room)}"#)
        guard answer.status == 204 else { throw Unexpected(answer: answer) }
    }

    func reveal(_ pin: String, _ token: String) async throws -> WireAnswer {
        try await send("POST", "/v1/rooms/\(pin)/reveal", token: token)
    }
}

extension JSONValue {
    /// What an accepted message says of its stage and its room's sequence.
    var told: (token: String, stage: String, sequence: Int)? {
        let data = self["message"]?["data"] ?? self["message"]?["payload"]
        guard let token = self["token"]?.string, let stage = data?["stage"]?.string,
            let sequence = data?["sequence"]?.string.flatMap({ Int($0) }) ?? data?["sequence"]?.integer.map(Int.init)
        else { return nil }
        return (token, stage, sequence)
    }
}
