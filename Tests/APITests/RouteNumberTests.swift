import Testing

@testable import API

@Suite("Routes by number")
struct RouteNumberTests {
    @Test("Every route's number leads to its pattern, and no two have one")
    func numbers() {
        for (index, route) in Route.examples.enumerated() {
            #expect(route.number == index + 1)
            #expect(API.routePatterns[route.number] == route.pattern)
        }
        #expect(Set(Route.examples.map(\.number)).count == Route.examples.count)
        #expect(API.routePatterns[0] == "(none)")
    }

    @Test("A route that a request names has the number of its pattern", arguments: ["/v1/rooms/004217/events", "/group/1/gameresult", "/"])
    func parsed(path: String) throws {
        let route = try #require(Route(path: Array(path.utf8), legacy: true))
        #expect(API.routePatterns[route.number] == route.pattern)
    }
}
