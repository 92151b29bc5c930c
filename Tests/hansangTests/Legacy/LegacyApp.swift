import Foundation
import FoundationNetworking

/// The shipped app's networking: its requests as URLSession makes them, its answers as `Codable` decodes them, and nothing of ours.
struct LegacyApp {
    private let port: Int
    private let token: String
    private let session = {
        let configuration = URLSessionConfiguration.ephemeral
        // As on a phone in Korean; of itself URLSession names the language of whoever runs the tests.
        configuration.httpAdditionalHeaders = ["Accept-Language": "ko-KR"]
        return URLSession(configuration: configuration)
    }()

    init(port: Int, token: String) {
        self.port = port
        self.token = token
    }

    struct RandomMenu: Codable {
        let name: String
        let imageURL: URL
    }

    struct Waiting: Codable, Equatable {
        let submissionCount: Int
        let isHost: Bool
        let isGameClosed: Bool
    }

    struct GameResult: Codable, Equatable {
        struct Menu: Codable, Equatable {
            let name: String
            let imageURL: URL
            let keywords: [String]
        }

        let menus: [Menu]
        let playerCount: Int
    }

    enum Nation: String, Codable, CaseIterable {
        case korean = "KOREAN", western = "WESTERN", japanese = "JAPANESE", chinese = "CHINESE", convenient = "CONVENIENT", exotic =
            "EXOTIC"
        case etc = "ETC"
    }

    enum DislikedFood: String, Codable, CaseIterable {
        case spicy = "SPICY", intestine = "INTESTINE", sashimi = "SASHIMI", seafood = "SEAFOOD", meat = "MEAT"
    }

    struct GameAnswer: Codable {
        var hangover: Bool?
        var greasy: Bool?
        var health: Bool?
        var alcohol: Bool?
        var instant: Bool?
        var spicy: Bool?
        var rich: Bool?
        var rice: Bool?
        var noodle: Bool?
        var soup: Bool?
        var nation: [Nation] = []
    }

    struct Submission: Codable {
        let gameAnswer: GameAnswer
        let dislikedFoods: [DislikedFood]
        let pinNumber: Int?
        let token: String?

        /// What is not there is `null` and not left out.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(gameAnswer, forKey: .gameAnswer)
            try container.encode(dislikedFoods, forKey: .dislikedFoods)
            try container.encode(pinNumber, forKey: .pinNumber)
            try container.encode(token, forKey: .token)
        }
    }

    /// An answer with another status than the app takes for success.
    struct Failed: Error, Equatable {
        let status: Int
    }

    func randomMenu() async throws -> RandomMenu { try decode(try await send("GET", "menu/random")) }

    func open() async throws -> Int { try decode(try await send("POST", "group", asMember: true, expecting: 201)) }

    func exists(_ pin: Int) async throws -> Bool { try decode(try await send("GET", "group/\(pin)")) }

    func submit(_ answer: GameAnswer, dislikes: [DislikedFood] = [], to pin: Int) async throws {
        let body = Submission(gameAnswer: answer, dislikedFoods: dislikes, pinNumber: pin, token: token)
        _ = try await send("POST", "group/\(pin)", body: JSONEncoder().encode(body))
    }

    func playAlone(_ answer: GameAnswer, dislikes: [DislikedFood]) async throws -> GameResult {
        let body = Submission(gameAnswer: answer, dislikedFoods: dislikes, pinNumber: nil, token: nil)
        return try decode(try await send("POST", "group/solo", body: JSONEncoder().encode(body)))
    }

    func waiting(_ pin: Int) async throws -> Waiting { try decode(try await send("GET", "group/\(pin)/gameresultwait", asMember: true)) }

    func result(_ pin: Int) async throws -> GameResult { try decode(try await send("GET", "group/\(pin)/gameresult")) }

    func restart(_ pin: Int) async throws { _ = try await send("PUT", "group/\(pin)", asMember: true) }

    func image(_ url: URL) async throws -> Data { try await session.data(from: url).0 }

    private func send(
        _ method: String, _ path: String, asMember: Bool = false, body: Data? = nil, expecting status: Int = 200
    ) async throws -> Data {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        components.path = "/" + path
        if asMember { components.queryItems = [URLQueryItem(name: "token", value: token)] }
        guard let url = components.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse, response.statusCode == status else {
            throw Failed(status: (response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        return data
    }

    private func decode<Value: Decodable>(_ data: Data) throws -> Value { try JSONDecoder().decode(Value.self, from: data) }
}
