import Dispatch
import Glibc
import HTTP
import JSON
import MenuGame
import Metrics

/// What the operator's own listener answers. It is not for the public: who reaches it may see the figures and have things done.
struct AdminResponder: Responder {
    /// The name by which it may be asked, besides addresses.
    private let name: String
    private let families: @Sendable () -> [Family]
    private let catalogue: CatalogueReload
    /// To gather the figures asks the system and the store, which takes too long for an event loop.
    private let queue = DispatchQueue(label: "hansang.admin")

    init(name: String, families: @escaping @Sendable () -> [Family], catalogue: CatalogueReload) {
        self.name = name
        self.families = families
        self.catalogue = catalogue
    }

    func respond(to request: Request, reply: Reply) {
        // A page in the operator's browser could ask in their name, and says then where it is from (Fetch §3.1).
        guard request.fields[.origin] == nil else { return reply.send(Self.plain(403, "not for pages in a browser")) }
        let host = request.fields[.host].map { String(decoding: $0, as: UTF8.self) }
        guard Self.isOurs(host, name: name) else { return reply.send(Self.plain(421, "ask by address, or as localhost")) }
        switch (String(decoding: request.path, as: UTF8.self), request.method) {
        case ("/metrics", .get), ("/metrics", .head):
            queue.async {
                let fields: [Field] = [Field(.contentType, Exposition.mediaType), Field(.cacheControl, "no-store")]
                reply.send(Response(Status(200), fields: fields, body: Exposition.text(of: families())))
            }
        case ("/catalogue/reload", .post): catalogue.run { reply.send(Self.response(to: $0)) }
        case ("/metrics", _): reply.send(Self.plain(405, "GET or HEAD", [Field(.allow, "GET, HEAD")]))
        case ("/catalogue/reload", _): reply.send(Self.plain(405, "POST", [Field(.allow, "POST")]))
        default: reply.send(Self.plain(404, "there are GET /metrics and POST /catalogue/reload"))
        }
    }

    /// Whether `host` names this listener. A page elsewhere can have a name of its own lead here, and its browser takes us for the page's
    /// own server then and sends no `Origin`; but it says the name (DNS rebinding). No address can be pointed elsewhere.
    static func isOurs(_ host: String?, name: String) -> Bool {
        guard let host, !host.isEmpty else { return true }
        if host.hasPrefix("[") { return host.dropFirst().firstIndex(of: "]").map { isAddress(host[..<$0].dropFirst(), AF_INET6) } ?? false }
        let uriHost = host.prefix { $0 != ":" }
        return isAddress(uriHost, AF_INET) || ["localhost", name.lowercased()].contains(uriHost.lowercased())
    }

    private static func isAddress(_ text: Substring, _ family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, String(text), &address) == 1
    }

    private static func response(to outcome: CatalogueReload.Outcome) -> Response {
        var writer = JSONWriter()
        switch outcome {
        case .loaded(let catalogue, let isNew):
            writer.object { writer in
                writer.member("menus", catalogue.menus.count)
                writer.member("cards", catalogue.cards.count)
                writer.member("fingerprint", catalogue.fingerprint)
                writer.member("isNew", isNew)
            }
        case .refused(let detail, let faults):
            writer.object { writer in
                writer.member("detail", detail)
                writer.member("faults", array: faults) { $0.string($1) }
            }
        case .failed: writer.object { $0.member("detail", "the store cannot keep it just now; the former catalogue stays") }
        }
        writer.newline()
        let status =
            switch outcome {
            case .loaded: 200
            case .refused: 422
            case .failed: 503
            }
        return Response(
            Status(status), fields: [Field(.contentType, "application/json"), Field(.cacheControl, "no-store")], body: writer.bytes)
    }

    private static func plain(_ status: Int, _ text: String, _ fields: [Field] = []) -> Response {
        Response(Status(status), fields: [Field(.contentType, "text/plain; charset=utf-8")] + fields, body: Array("\(text)\n".utf8))
    }
}

extension FieldName {
    fileprivate static let allow = FieldName("Allow")
    fileprivate static let cacheControl = FieldName("Cache-Control")
    fileprivate static let contentType = FieldName("Content-Type")
    fileprivate static let host = FieldName("Host")
    fileprivate static let origin = FieldName("Origin")
}
