import Dispatch
import HTTP
import Metrics

/// What the operator's own listener answers. It is not for the public: who reaches it may see the figures and have things done.
struct AdminResponder: Responder {
    private let families: [Family]
    /// To gather the figures asks the system and the store, which takes too long for an event loop.
    private let queue = DispatchQueue(label: "hansang.admin", qos: .utility)

    init(families: [Family]) { self.families = families }

    func respond(to request: Request, reply: Reply) {
        let path = String(decoding: request.path, as: UTF8.self)
        switch (path, request.method) {
        case ("/metrics", .get), ("/metrics", .head):
            queue.async {
                let fields: [(name: FieldName, value: String)] = [(.contentType, Exposition.mediaType), (.cacheControl, "no-store")]
                reply.send(Response(Status(200), fields: fields, body: Exposition.text(of: families)))
            }
        case ("/metrics", _): reply.send(Self.refusal(405, "only GET and HEAD", fields: [(.allow, "GET, HEAD")]))
        default: reply.send(Self.refusal(404, "there is /metrics"))
        }
    }

    private static func refusal(_ status: Int, _ text: String, fields: [(name: FieldName, value: String)] = []) -> Response {
        Response(Status(status), fields: [(.contentType, "text/plain; charset=utf-8")] + fields, body: Array("\(text)\n".utf8))
    }
}

extension FieldName {
    fileprivate static let allow = FieldName("Allow")
    fileprivate static let cacheControl = FieldName("Cache-Control")
    fileprivate static let contentType = FieldName("Content-Type")
}
