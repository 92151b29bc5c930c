import HTTP
import Testing

@testable import API

@Suite("Routes")
struct RouteTests {
    private func match(_ path: String, legacy: Bool = true) -> RouteMatch { RouteMatch(path: Array(path.utf8), legacy: legacy) }

    @Test("Every endpoint has a number that leads to its pattern, and a path of that pattern leads to it")
    func numbers() {
        #expect(API.routePatterns[0] == "(none)")
        for (index, endpoint) in Endpoint.all.enumerated() {
            #expect(endpoint.number == index)
            #expect(API.routePatterns[endpoint.number] == endpoint.pattern)
            guard endpoint !== Endpoint.unknown else { continue }
            let found = match(endpoint.pattern)
            #expect(found.endpoint === endpoint)
            let variables = variables(endpoint)
            #expect(found.route == endpoint.route(variables.first ?? "", variables.dropFirst().first ?? ""))
        }
        #expect(Set(Endpoint.all.map(\.pattern)).count == Endpoint.all.count)
    }

    private func variables(_ endpoint: Endpoint) -> [String] {
        endpoint.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map(String.init)
    }

    @Test("Variables stand in the route as they are meant, whatever they are")
    func decoded() {
        #expect(match("/v1/rooms/004217").route == .room(pin: "004217"))
        #expect(match("/v1/rooms/0042%317/members/a%2Fb").route == .membership(pin: "004217", member: "a/b"))
        #expect(match("/v1/rooms//members/").route == .membership(pin: "", member: ""))
        #expect(match("/v1/rooms/%zz%31").route == .room(pin: "%zz%31"))
        #expect(match("/v1/menus/%ED%95%9C").route == .menu(id: "한"))
        #expect(match("/assets/1/app.js").route == .webAsset(version: "1", file: "app.js"))
    }

    @Test("A literal segment may be percent-encoded, and is preferred to a variable")
    func literals() {
        #expect(match("/%76%31/r%6foms/1/memb%65rs/m%65").route == .ownMembership(pin: "1"))
        #expect(match("/v1/menus/random").route == .randomMenu)
        #expect(match("/group/solo").route == .legacy(.solo))
        #expect(match("/group/solo/gameresult").route == .legacy(.result(pin: "solo")))
    }

    @Test("A room's page may be asked for with a slash at the end, as addresses are copied, and nothing else may")
    func slash() {
        #expect(match("/r/004217/").route == .webRoom(pin: "004217"))
        #expect(match("/r/004217/").endpoint === match("/r/004217").endpoint)
        for endpoint in Endpoint.all.dropFirst() where endpoint.pattern != "/r/{pin}" {
            #expect(match(endpoint.pattern + "/").endpoint !== endpoint)
        }
    }

    @Test(
        "What is no path of ours leads nowhere",
        arguments: [
            "/v1", "/v1/", "/v1/rooms/1/", "/v1/rooms/1/x", "/V1/rooms", "/v1/room", "/v1/roomss", "//", "/v1/rooms/1/submission/2", "/%2",
            "/v1%2Frooms", "/r/004217//", "/r/004217/x",
        ])
    func none(path: String) { #expect(match(path).route == .unknown) }

    @Test("The shipped app's paths are none where it is not served")
    func legacy() {
        #expect(match("/group/1", legacy: false).route == .unknown)
        #expect(match("/group/1").pin == "1")
    }
}
