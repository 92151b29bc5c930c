import HTTP

/// Any bytes from a client: however they are cut, the decoder says the same of them, and what it lets through is framed beyond doubt.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    for limits in [ConnectionLimits(), .narrow] {
        let whole = Reading([input], limits)
        var cuts = Cuts(of: input)
        for pieces in [cuts.pieces(input, about: 3), cuts.pieces(input, about: 17), input.map { [$0] }] {
            let cut = Reading(pieces, limits)
            require(cut.events == whole.events, "cut in \(pieces.count) pieces:\n\(cut.events)\nwhole:\n\(whole.events)")
            require(cut.isBetweenRequests == whole.isBetweenRequests, "between requests when cut in \(pieces.count) pieces")
        }
        for case .request(let request, let exchange) in whole.outcomes { check(request, exchange, limits) }
    }
    checkResponse(input)
    return 0
}

/// Whatever a responder puts into a field or a body, the head has the lines it should have, and the body is the body.
private func checkResponse(_ input: [UInt8]) {
    var output: [UInt8] = []
    let response = Response(Status(200), fields: [Field(FieldName("A"), String(decoding: input, as: UTF8.self))], body: input)
    ResponseEncoder.encode(response, for: Exchange(), date: HTTPDate(secondsSince1970: 784_111_777), into: &output)
    let head = output.dropLast(input.count)
    require(output.suffix(input.count).elementsEqual(input) && head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]), "the body")
    require(head.count { $0 == 0x0A } == 5 && head.count { $0 == 0x0D } == 5, "the lines of \(head)")
}

/// What the decoder made of some pieces, up to the first refusal.
private struct Reading {
    enum Event: Equatable {
        case request(String, path: [UInt8], query: [UInt8]?, fields: [[[UInt8]]], count: Int, body: [UInt8], Exchange)
        case refusal(RequestError, Exchange)
    }

    var events: [Event] = []
    var outcomes: [RequestDecoder.Outcome] = []
    var isBetweenRequests = false

    init(_ pieces: [[UInt8]], _ limits: ConnectionLimits) {
        var decoder = RequestDecoder(limits: limits)
        for piece in pieces {
            var position = 0
            reading: while true {
                let before = position
                let outcome = decoder.decode(piece.span, from: &position)
                require(position >= before && position <= piece.count, "position \(position) of \(piece.count)")
                outcomes.append(outcome)
                switch outcome {
                case .needMore:
                    outcomes.removeLast()
                    require(position == piece.count, "wants more, and left \(piece.count - position) bytes")
                    require(decoder.bodyReceived ?? 0 <= limits.maximumBodySize, "holds a body beyond the limit")
                    break reading
                case .request(let request, let exchange):
                    require(position > before, "a request of nothing")
                    events.append(
                        .request(
                            request.method.name, path: request.path, query: request.query,
                            fields: names.map { request.fields.values(of: $0).map(Array.init) }, count: request.fields.count,
                            body: request.body, exchange))
                case .refuse(let refusal, let exchange):
                    events.append(.refusal(refusal, exchange))
                    require(!exchange.persists, "a refusal that keeps the connection")
                    var last = false
                    if case .refuse(refusal, exchange) = decoder.decode(piece.span, from: &position) { last = true }
                    require(last, "a refusal that was not the last word")
                    return
                }
            }
        }
        isBetweenRequests = decoder.isBetweenRequests
    }
}

/// A request written down again in the plainest form is the same request: nothing in it can be read in two ways by whoever is told of it.
private func check(_ request: Request, _ exchange: Exchange, _ limits: ConnectionLimits) {
    require(request.body.count <= limits.maximumBodySize && request.fields.count <= limits.maximumFieldCount, "beyond the limits")
    require(request.path.first == 0x2F || request.path == [0x2A] && request.method == .options, "a path of \(request.path)")
    var plain = Array(request.method.name.utf8) + [0x20] + request.path
    if let query = request.query { plain += [0x3F] + query }
    plain += Array(" HTTP/1.1\r\n".utf8)
    if request.fields[FieldName("Host")] == nil { plain += Array("Host: \r\n".utf8) }
    for name in names where !["content-length", "transfer-encoding", "expect"].contains(name.lowercased) {
        for value in request.fields.values(of: name) { plain += Array("\(name.lowercased): ".utf8) + value + [0x0D, 0x0A] }
    }
    plain += Array("Content-Length: \(request.body.count)\r\n\r\n".utf8) + request.body
    var roomy = limits
    roomy.maximumHeadSize *= 2
    roomy.maximumFieldCount += 2
    var decoder = RequestDecoder(limits: roomy)
    var position = 0
    guard case .request(let again, _) = decoder.decode(plain.span, from: &position) else { return require(false, "refused as \(plain)") }
    require(position == plain.count && again.method == request.method && again.body == request.body, "read again as another")
    require(again.path == request.path && again.query == request.query, "read again with another target")
    for name in names where !["content-length", "transfer-encoding", "expect"].contains(name.lowercased) && name.lowercased != "host" {
        require(again.fields.values(of: name) == request.fields.values(of: name), "read again with another \(name.lowercased)")
    }
}

private let names = ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Expect", "X-N", "A"].map { FieldName($0) }
