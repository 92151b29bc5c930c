import HTTP

/// Every answer tells which request it belongs to: it is the request's body, or its path where there is nothing of that name.
struct EchoResponder: Responder {
    /// Told of every request.
    var observe: (@Sendable (String) -> Void)?

    func respond(to request: Request, reply: Reply) {
        if let observe {
            let query = request.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
            observe("\(request.method.name) \(String(decoding: request.path, as: UTF8.self))\(query) \(request.body.count)")
        }
        switch request.method {
        case .get, .head:
            let isHealth = request.path == Array("/healthz".utf8)
            reply.send(echo(isHealth ? 200 : 404, isHealth ? Array("fine".utf8) : request.path))
        case .post, .put, .patch, .delete, .options: reply.send(echo(200, request.body))
        default: reply.send(echo(501, []))  // a method that is not known here (RFC 9110 §9.1)
        }
    }

    private func echo(_ status: Int, _ body: [UInt8]) -> Response {
        Response(Status(status), fields: [Field(FieldName("Content-Type"), "application/octet-stream")], body: body)
    }
}
