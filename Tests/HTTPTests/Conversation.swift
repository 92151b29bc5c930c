import HTTP

/// A client's bytes through the protocol, with a responder that echoes and a clock that stands still.
struct Conversation: Equatable {
    /// The answers in order, interim ones aside.
    var statuses: [Int] = []
    var requests: [[UInt8]] = []
    var bodies: [[UInt8]] = []
    var invitations = 0
    var isClosed = false
    var output: [UInt8] = []

    init(_ pieces: [[UInt8]], thenEnd: Bool = false, limits: ConnectionLimits = ConnectionLimits()) {
        let now = Moment(elapsed: .zero)
        var state = ConnectionState(limits: limits, at: now)
        let date = HTTPDate(secondsSince1970: 784_111_777)
        for piece in pieces {
            var position = 0
            receiving: while state.wantsInput {
                switch state.receive(piece.span, from: &position, at: now) {
                case .wait: break receiving
                case .invite: invitations += 1
                case .respond(let request, let ticket):
                    let response = Conversation.respond(to: request)
                    requests.append(request.path)
                    bodies.append(request.body)
                    statuses.append(response.status.code)
                    _ = state.answer(ticket, with: response, date: date, into: &output, at: now)
                    if case .linger = state.sent(100, pending: 0, at: now) { isClosed = true }
                case .refuse(let refusal, _): refuse(refusal, &state, date, now)
                case .linger, .close: isClosed = true
                }
                if state.isEnding { break }
            }
        }
        if thenEnd {
            switch state.receiveEnd(at: now) {
            case .refuse(let refusal, _): refuse(refusal, &state, date, now)
            default: isClosed = true
            }
        }
    }

    private mutating func refuse(
        _ refusal: RequestError, _ state: inout ConnectionState, _ date: HTTPDate, _ now: Moment
    ) {
        statuses.append(refusal.status.code)
        state.refuse(refusal, date: date, into: &output)
        if case .linger = state.sent(100, pending: 0, at: now) { isClosed = true }
    }

    private static func respond(to request: Request) -> Response {
        switch request.method {
        case .get, .head: Response(Status(request.path == Array("/healthz".utf8) ? 200 : 404), body: Array("fine".utf8))
        case .post: Response(Status(200), body: request.body)
        default: Response(Status(405))
        }
    }
}

extension [UInt8] {
    func cut(at position: Int) -> [[UInt8]] { [Array(self[..<position]), Array(self[position...])] }

    var singly: [[UInt8]] { map { [$0] } }
}

func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
