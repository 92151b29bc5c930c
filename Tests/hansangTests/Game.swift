import JSON
import TestSupport

/// The steps that most games begin with.
extension WireClient {
    /// Opens a room and returns its PIN.
    func open(_ token: String, json: String = "{}") async throws -> String {
        let answer = try await send("POST", "/v1/rooms", token: token, json: json)
        guard answer.status == 201, let pin = answer.json["pin"]?.string else { throw Unexpected(answer: answer) }
        return pin
    }

    func submit(_ pin: String, _ token: String, _ json: String = "{}") async throws -> WireAnswer {
        try await send("PUT", "/v1/rooms/\(pin)/submission", token: token, json: json)
    }
}

/// An answer with which a test cannot go on.
struct Unexpected: Error {
    let answer: WireAnswer
}

/// A device token, another for every number.
func token(_ number: Int) -> String { "device-token-of-number-\(number)" }
