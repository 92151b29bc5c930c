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

    func join(_ pin: String, _ token: String, json: String = "{}") async throws -> WireAnswer {
        try await send("PUT", "/v1/rooms/\(pin)/members/me", token: token, json: json)
    }

    func submit(_ pin: String, _ token: String, _ json: String = "{}") async throws -> WireAnswer {
        try await send("PUT", "/v1/rooms/\(pin)/submission", token: token, json: json)
    }
}

extension WireClient {
    /// Opens this connection's stream of a room's events.
    func events(of pin: String, token: String? = nil, lastEventID: String? = nil) async throws -> EventReader {
        try await EventReader.open(self, "/v1/rooms/\(pin)/events", token: token, lastEventID: lastEventID)
    }
}

/// What of a snapshot stays the same for as long as the room does: all but the times of the answer.
func state(_ snapshot: JSONValue) -> [JSONValue.Member] {
    (snapshot.object ?? []).filter { !["serverTime", "staleAt"].contains($0.name) }
}

/// An answer with which a test cannot go on.
struct Unexpected: Error {
    let answer: WireAnswer
}

/// A device token, another for every number.
func token(_ number: Int) -> String { "device-token-of-number-\(number)" }
