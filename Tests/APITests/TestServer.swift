import API
import Foundation
import GameJSON
import HTTP
import JSON
import MenuGame
import SQLiteStore
import TestSupport
import UseCases

/// The API on a real store, without a socket: requests go in as values, answers come back.
final class TestServer: Sendable {
    let clock = TestClock()
    let rooms: Rooms
    let store: SQLiteStore
    private let api: API
    private let folder: TemporaryFolder

    /// - Parameter catalogue: its bytes; the shipped one where `nil`.
    init(
        catalogue: [UInt8]? = nil, seed: UInt64 = 1, legacy: Bool = false, publicURL: PublicURL? = nil,
        limits: ClientLimits = ClientLimits(),
        pinSpace: PINSpace = PINSpace(digits: 6),
        pinSpaceGrows: Bool = true,
        folder: TemporaryFolder? = nil, push: PushOffer = PushOffer(),
        hash: @escaping @Sendable (ArraySlice<UInt8>) -> TokenHash? = { TokenHash.beginning(Array($0.reversed())) }
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        let bytes = try catalogue ?? Catalogues.shippedBytes()
        let store = try SQLiteStore(path: self.folder.path("rooms.sqlite"))
        self.store = store
        let random = TestRandom(seed: seed)
        let clock = clock
        var settings = RoomSettings()
        settings.pinSpace = pinSpace
        settings.pinSpaceGrows = pinSpaceGrows
        settings.writesNotices = true
        let library = try CatalogueLibrary(current: Catalogues.read(bytes, "test"), bytes: bytes, store: store) {
            bytes, fingerprint throws(StoreError) in
            do { return try Catalogues.read(bytes, fingerprint) } catch { throw StoreError("\(error)") }
        }
        rooms = Rooms(
            environment: Environment(now: { clock.now }, random: random.next), settings: settings, library: library, store: store)
        let documents = Documents(
            openAPI: try Self.resource("openapi.yaml"), docs: try Self.resource("web/docs.html"),
            docsStyle: try Self.resource("web/docs.css"))
        api = API(
            rooms: rooms, devices: Devices(rooms: rooms, registry: store), push: push, documents: documents, web: try Self.webClient(),
            hash: hash, requestIDPrefix: "test", publicURL: publicURL,
            legacy: legacy, limits: limits,
            elapsed: { clock.elapsed })
    }

    /// The bytes of a file that comes with the program.
    static func resource(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: projectFolder.appending(path: "Resources/\(name)")))
    }

    /// The web client, as it comes with the program.
    static func webClient() throws -> WebClient {
        let folder = projectFolder.appending(path: "Resources/web/assets").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let assets = try names.map { ($0, try resource("web/assets/\($0)")) }
        return try WebClient(page: try resource("web/index.html"), assets: Dictionary(uniqueKeysWithValues: assets))
    }

    func send(
        _ method: HTTP.Method, _ target: String, token: String? = nil, body: [UInt8] = [], fields: [String: String] = [:],
        lines: [(String, String)] = [], from peer: String = "192.0.2.1"
    ) async -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1).map { Array($0.utf8) }
        var request = Request(method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, body: body, peer: peer)
        if let token { request.fields.append(name: Array("Authorization".utf8), value: Array("Bearer \(token)".utf8)) }
        if !body.isEmpty, fields["Content-Type"] == nil {
            request.fields.append(name: Array("Content-Type".utf8), value: Array("application/json".utf8))
        }
        for (name, value) in fields { request.fields.append(name: Array(name.utf8), value: Array(value.utf8)) }
        for (name, value) in lines { request.fields.append(name: Array(name.utf8), value: Array(value.utf8)) }
        let complete = request
        return await withCheckedContinuation { continuation in
            api.respond(to: complete, reply: ReplyRecorder { continuation.resume(returning: Answer($0)) }.reply)
        }
    }

    func send(
        _ method: HTTP.Method, _ target: String, token: String? = nil, json: String, fields: [String: String] = [:],
        from peer: String = "192.0.2.1"
    ) async -> Answer {
        await send(method, target, token: token, body: Array(json.utf8), fields: fields, from: peer)
    }

    /// Opens a room and returns its PIN.
    func open(_ token: String, json: String = "{}") async throws -> String {
        let answer = await send(.post, "/v1/rooms", token: token, json: json)
        guard answer.status == 201, let pin = answer.json["pin"]?.string else { throw Unexpected(answer: answer) }
        return pin
    }

    func submit(_ pin: String, _ token: String, _ json: String) async -> Answer {
        await send(.put, "/v1/rooms/\(pin)/submission", token: token, json: json)
    }
}

struct Unexpected: Error {
    let answer: Answer
}

/// A response with its body read.
struct Answer: Sendable {
    let status: Int
    let fields: [Field]
    let body: [UInt8]

    init(_ response: Response) {
        status = response.status.code
        fields = response.fields
        body = response.body
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var code: String? { json["code"]?.string }
    /// The pointers of a 422.
    var pointers: [String] { json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? [] }

    subscript(field: String) -> String? { fields.first { $0.name.lowercased == field.lowercased() }?.value }
}

/// A device token, another for every number.
func token(_ number: Int) -> String { "device-token-of-number-\(number)" }
