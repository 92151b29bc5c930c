import HTTP
import JSON
import TestSupport
import Testing

/// Who may do what, in which room: every endpoint of a room asked by everybody there is, in every phase.
@Suite("Access")
struct AccessMatrixTests {
    enum Role: CaseIterable {
        case nobody, stranger, removed, member, host

        var token: String? {
            switch self {
            case .nobody: nil
            case .stranger: APITests.token(9)
            case .removed: APITests.token(3)
            case .member: APITests.token(2)
            case .host: APITests.token(1)
            }
        }
    }

    enum Phase: CaseIterable {
        case open, revealed, decided, closed
    }

    struct Request: CustomTestStringConvertible {
        let method: HTTP.Method
        let path: String
        var body = ""
        /// Statuses for nobody, stranger, removed, member, host; by phase: open, revealed, decided, closed.
        let expected: [[Int]]

        var testDescription: String { "\(method.name) \(path)" }
    }

    static let gone = [404, 404, 404, 404, 404]
    static let goneForTokens = [401, 404, 404, 404, 404]

    static let requests = [
        Request(
            method: .get, path: "", expected: [[200, 200, 200, 200, 200], [200, 200, 200, 200, 200], [200, 200, 200, 200, 200], gone]),
        Request(
            method: .get, path: "/game",
            expected: [[200, 200, 200, 200, 200], [200, 200, 200, 200, 200], [200, 200, 200, 200, 200], gone]),
        Request(
            method: .get, path: "/result",
            expected: [[409, 409, 409, 409, 409], [200, 200, 200, 200, 200], [200, 200, 200, 200, 200], gone]),
        Request(
            method: .get, path: "/submission",
            expected: [[401, 403, 403, 200, 404], [401, 403, 403, 200, 404], [401, 403, 403, 200, 404], goneForTokens]),
        Request(
            method: .put, path: "/members/me", body: "{}",
            expected: [[401, 201, 403, 200, 200], [401, 201, 403, 200, 200], [401, 201, 403, 200, 200], goneForTokens]),
        Request(
            method: .delete, path: "/members/me",
            expected: [[401, 403, 403, 204, 204], [401, 403, 403, 204, 204], [401, 403, 403, 204, 204], goneForTokens]),
        Request(
            method: .delete, path: "/members/m_2",
            expected: [[401, 403, 403, 403, 204], [401, 403, 403, 403, 204], [401, 403, 403, 403, 204], goneForTokens]),
        Request(
            method: .put, path: "/host", body: #"{"memberId":"m_2"}"#,
            expected: [[401, 403, 403, 403, 200], [401, 403, 403, 403, 200], [401, 403, 403, 403, 200], goneForTokens]),
        Request(
            method: .put, path: "/submission", body: "{}",
            expected: [[401, 201, 403, 200, 201], [401, 409, 409, 409, 409], [401, 409, 409, 409, 409], goneForTokens]),
        Request(
            method: .patch, path: "/submission", body: #"{"vetoes":["meat"]}"#,
            expected: [[401, 403, 403, 200, 404], [401, 409, 409, 409, 409], [401, 409, 409, 409, 409], goneForTokens]),
        Request(
            method: .delete, path: "/submission",
            expected: [[401, 204, 204, 204, 204], [401, 409, 409, 409, 409], [401, 409, 409, 409, 409], goneForTokens]),
        Request(
            method: .post, path: "/reveal",
            expected: [[401, 403, 403, 403, 200], [401, 403, 403, 200, 200], [401, 403, 403, 200, 200], goneForTokens]),
        Request(
            method: .post, path: "/decision", body: #"{"menuId":"no-such-menu"}"#,
            expected: [[401, 403, 403, 403, 409], [401, 403, 403, 403, 422], [401, 403, 403, 403, 422], goneForTokens]),
        Request(
            method: .post, path: "/rounds",
            expected: [[401, 403, 403, 403, 409], [401, 403, 403, 403, 201], [401, 403, 403, 403, 201], goneForTokens]),
        Request(
            method: .delete, path: "",
            expected: [[401, 403, 403, 403, 204], [401, 403, 403, 403, 204], [401, 403, 403, 403, 204], goneForTokens]),
    ]

    @Test("Everybody may do what is theirs and no more, in the room and in no other", arguments: requests)
    func matrix(request: Request) async throws {
        for (phase, expected) in zip(Phase.allCases, request.expected) {
            for (role, status) in zip(Role.allCases, expected) {
                // A room for each, since most of it changes something.
                let server = try TestServer()
                let (pin, other) = try await rooms(on: server, in: phase)
                let before = await server.send(.get, "/v1/rooms/\(other)").json
                let answer = await server.send(
                    request.method, "/v1/rooms/\(pin)\(request.path)", token: role.token, json: request.body)
                #expect(answer.status == status, "\(role), \(phase)")
                let after = await server.send(.get, "/v1/rooms/\(other)").json
                #expect(before == after)
            }
        }
    }

    /// A room with a host, a member who has submitted and one who was removed, and another room of the same people.
    private func rooms(on server: TestServer, in phase: Phase) async throws -> (pin: String, other: String) {
        var pins: [String] = []
        for _ in 1...2 {
            let pin = try await server.open(token(1))
            for number in 2...3 { _ = await server.submit(pin, token(number), "{}") }
            #expect(await server.send(.delete, "/v1/rooms/\(pin)/members/m_3", token: token(1)).status == 204)
            pins.append(pin)
        }
        let path = "/v1/rooms/\(pins[0])"
        if phase == .revealed || phase == .decided {
            let result = await server.send(.post, "\(path)/reveal", token: token(1)).json
            let menu = try #require(result["menus"]?.array?.first?["id"]?.string)
            if phase == .decided {
                let decided = await server.send(.post, "\(path)/decision", token: token(1), json: #"{"menuId":"\#(menu)"}"#)
                #expect(decided.status == 200)
            }
        }
        if phase == .closed { #expect(await server.send(.delete, path, token: token(1)).status == 204) }
        return (pins[0], pins[1])
    }
}
