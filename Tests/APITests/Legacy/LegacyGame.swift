import API
import HTTP
import JSON

/// What the shipped app sends.
extension TestServer {
    /// A server that the app can talk to.
    static func legacy(limits: ClientLimits = ClientLimits()) throws -> TestServer {
        try TestServer(legacy: true, publicURL: PublicURL("https://hansang.example/"), limits: limits)
    }

    /// Opens a room as the app does, and returns the PIN as the digits that its number has.
    func legacyOpen(_ token: String) async throws -> String {
        let answer = await send(.post, "/group?token=\(token)")
        guard answer.status == 201, let number = answer.json.integer else { throw Unexpected(answer: answer) }
        return "\(number)"
    }

    func legacySubmit(
        _ pin: String, _ token: String, _ answers: String = "{}", dislikes: String = "[]", pinNumber: String = "null"
    ) async -> Answer {
        await send(
            .post, "/group/\(pin)",
            json: #"{"gameAnswer":\#(answers),"dislikedFoods":\#(dislikes),"pinNumber":\#(pinNumber),"token":"\#(token)"}"#)
    }

    func legacyWait(_ pin: String, _ token: String) async -> Answer { await send(.get, "/group/\(pin)/gameresultwait?token=\(token)") }

    func legacyResult(_ pin: String, fields: [String: String] = [:]) async -> Answer {
        await send(.get, "/group/\(pin)/gameresult", fields: fields)
    }
}

extension Answer {
    /// The names of an object's members, in their order.
    func names(_ json: JSONValue?) -> [String] { json?.object?.map(\.name) ?? [] }
}
