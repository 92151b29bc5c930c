import JSON

/// One whole game as a group plays it: opened, answered by each member, looked at, revealed and read by all, closed.
struct LoadGame {
    enum Step: String, CaseIterable {
        case open, submit, read, reveal, result, close
    }

    let client: LoadClient
    let members: Int
    /// Told of each request: what it was for, how long it took, and what was wrong with its answer.
    let note: (Step, Duration, String?) -> Void

    /// What each member says, in turns.
    private static let answers = [
        #"{"answers":{"hangover":"like","staple":["soup"]}}"#,
        #"{"answers":{"spicy":"like","staple":["soup","rice"]},"vetoes":["seafood"]}"#,
        #"{"answers":{"spicy":"dislike","cuisine":["korean","japanese"]}}"#, #"{"vetoes":["meat"]}"#, "{}",
    ]

    /// - Parameter name: what no other game is called.
    func play(_ name: String) {
        let tokens = (0..<members).map { "load-\(name)-\($0)-device-token" }
        guard let room = ask(.open, "POST", "/v1/rooms", tokens[0], "{}", 201), let pin = room["pin"]?.string else { return }
        let path = "/v1/rooms/\(pin)"
        for (number, token) in tokens.enumerated() {
            _ = ask(.submit, "PUT", "\(path)/submission", token, Self.answers[number % Self.answers.count], 201)
            _ = ask(.read, "GET", path, token, nil, 200) {
                $0["submissionCount"]?.integer == Int64(number + 1) ? nil : "a submission is missing"
            }
        }
        let revealed = ask(.reveal, "POST", "\(path)/reveal", tokens[0], "", 200) { result in
            result["playerCount"]?.integer == Int64(members) && result["menus"]?.array?.isEmpty == false ? nil : "not the group's result"
        }
        for token in tokens {
            _ = ask(.result, "GET", "\(path)/result", token, nil, 200) { $0 == revealed ? nil : "another result" }
        }
        _ = ask(.close, "DELETE", path, tokens[0], nil, 204)
    }

    /// - Parameters:
    ///   - status: the one that the answer has to have.
    ///   - check: what is wrong with its body; `nil` for nothing.
    private func ask(
        _ step: Step, _ method: String, _ path: String, _ token: String, _ json: String?, _ status: Int,
        check: (JSONValue) -> String? = { _ in nil }
    ) -> JSONValue? {
        let clock = ContinuousClock()
        let began = clock.now
        do throws(LoadClient.NoAnswer) {
            let answer = try client.ask(method, path, token: token, json: json)
            let took = clock.now - began
            let body = (try? JSONValue(parsing: answer.body)) ?? .null
            guard answer.status == status else {
                note(step, took, "\(answer.status) \(body["code"]?.string ?? "")")
                return nil
            }
            note(step, took, check(body))
            return body
        } catch {
            note(step, clock.now - began, error.description)
            return nil
        }
    }
}
