import MenuGame
import TestSupport
import UseCases

@testable import Push

/// The services with their stand-in.
final class Table: Sendable {
    let clock = TestClock()
    let standIn: StandIn
    let client: HTTPClient
    let fcm: FCM
    let apns: APNs

    init(requestTimeout: Int = 20_000) async throws {
        standIn = try await StandIn(clock)
        client = try HTTPClient(authorities: standIn.authorities, requestTimeout: requestTimeout)
        fcm = try FCM(ServiceAccount(file: standIn.file("account.json")), client: client, origin: standIn.origin)
        apns = try APNs(
            APNsConfiguration(
                key: standIn.file("key.p8"), keyID: "ABC123DEFG", team: "TEAM123456", bundle: "com.example.hansang", origin: standIn.origin),
            client: client)
    }

    func send(_ message: PushMessage) async -> PushOutcome {
        let sender: any PushSender = message.registration.platform == .fcm ? fcm : apns
        return await withCheckedContinuation { continuation in
            sender.send(message, at: clock.now) { continuation.resume(returning: $0) }
        }
    }

    func message(
        _ platform: PushPlatform, to token: String = "a1b2c3", stage: PushStage = .revealed, sequence: Int = 7, registration: Int64 = 1,
        language: Language = .ko
    ) -> PushMessage {
        .sample(platform, to: token, stage: stage, sequence: sequence, registration: registration, language: language, at: clock.now)
    }

    /// Lets time go by, for the stand-in too.
    func advance(by milliseconds: Int64) async throws {
        clock.advance(by: milliseconds)
        try await standIn.tell(#"{"now":\#(clock.now.milliseconds)}"#)
    }
}
