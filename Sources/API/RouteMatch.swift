/// A path, and the endpoint whose pattern it has.
struct RouteMatch: Sendable {
    let endpoint: Endpoint
    let route: Route
    /// What stands where a room's PIN belongs; `nil` in the path of no room.
    let pin: String?

    /// `Endpoint.unknown` where there is no such route.
    ///
    /// - Parameter legacy: whether those of the shipped app are answered.
    init(path: [UInt8], legacy: Bool = false) {
        var variables = RouteTree.Variables()
        let found = Endpoint.all[RouteTree.whole.find(path, &variables) ?? 0]
        endpoint = found.isLegacy && !legacy ? Endpoint.unknown : found
        let first = Self.text(path[variables.first])
        route = endpoint.route(first, Self.text(path[variables.second]))
        pin = endpoint.namesRoom ? first : nil
    }

    /// What cannot be decoded stays as it is, and is then no PIN and no id.
    private static func text(_ segment: ArraySlice<UInt8>) -> String {
        segment.isEmpty ? "" : percentDecoded(segment) ?? String(decoding: segment, as: UTF8.self)
    }

    /// What a successful answer is.
    var mediaType: String {
        if case .webAsset(_, let file) = route { WebClient.Kind(of: file)?.mediaType ?? endpoint.mediaType } else { endpoint.mediaType }
    }
}
