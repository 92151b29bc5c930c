import API
import HTTP

/// Requests by their method and route: what there can be is known before the first, so that nothing is looked up by name.
enum RequestKind {
    /// The methods that are told by name. Any other is the client's own words, which could be anything.
    static let methods: [Method] = [.get, .head, .options, .post, .put, .patch, .delete]

    /// How many of them there are with each route; the last stands for any other method, and for requests that had none.
    static let methodsPerRoute = methods.count + 1

    /// All of them, by their numbers; the method is `nil` where it is the last.
    static let all: [(method: Method?, route: String)] = API.routePatterns.flatMap { route in
        methods.map { ($0, route) } + [(nil, route)]
    }

    /// - Parameters:
    ///   - method: `nil` for what the protocol refused before there was one.
    ///   - route: see `API.routePatterns`; 0 for none.
    static func number(_ method: Method?, route: Int) -> Int {
        route * methodsPerRoute + (method.flatMap(methods.firstIndex) ?? methods.count)
    }
}
