/// Bytes in, requests out (RFC 9112): fed with any cut, it looks at every byte a bounded number of times and keeps only what it needs
/// of a request that has not come whole.
public struct RequestDecoder {
    /// What the bytes so far come to.
    public enum Outcome {
        /// All of the input was used, and the request is not whole.
        case needMore
        /// A whole request; behind `position` the next may begin.
        case request(Request, Exchange)
        /// To be answered with `RequestError.response`; nothing behind it may be read as a request.
        case refuse(RequestError, Exchange)
    }

    private enum Stage {
        case head
        case length(RequestHead, Int)
        case chunked(RequestHead)
        case refused(RequestError, Exchange)
    }

    private let limits: ConnectionLimits
    private let peer: String
    private var stage = Stage.head
    /// The part of a head that has come, while its end has not.
    private var head: [UInt8] = []
    private var scanner = HeadScanner()
    private var body: [UInt8] = []
    private var chunks: ChunkedDecoder

    /// True from the end of a head that asks for it until it is invited or the body begins (RFC 9110 §10.1.1).
    public private(set) var wantsContinue = false

    /// - Parameters:
    ///   - limits: the bounds of every request of this connection.
    ///   - peer: the client's address in text, for `Request.peer`.
    public init(limits: ConnectionLimits, peer: String = "") {
        self.limits = limits
        self.peer = peer
        chunks = ChunkedDecoder(limits: limits)
    }

    /// Nothing of a next request has come: the empty line that old clients send after a body does not count (RFC 9112 §2.2).
    public var isBetweenRequests: Bool {
        if case .head = stage { head.isEmpty || scanner.hasOnlyEmptyLine } else { false }
    }

    /// The bytes of the body that have come, `nil` before the head is whole.
    public var bodyReceived: Int? {
        switch stage {
        case .length, .chunked: body.count
        case .head, .refused: nil
        }
    }

    /// The client has been told to go on.
    public mutating func invited() { wantsContinue = false }

    /// Takes from `input` what belongs to one request; `position` moves behind it. Once it has refused, it refuses for ever.
    public mutating func decode(_ input: Span<UInt8>, from position: inout Int) -> Outcome {
        do throws(RequestError) {
            if case .head = stage {
                guard let head = try readHead(input, from: &position) else { return .needMore }
                switch head.framing {
                case .nothing: return .request(head.request, head.exchange)
                case .length(let length): stage = .length(head, length)
                case .chunked:
                    chunks = ChunkedDecoder(limits: limits)
                    stage = .chunked(head)
                }
                wantsContinue = head.expectsContinue
            }
            return try readBody(input, from: &position)
        } catch {
            return refuse(error)
        }
    }

    private mutating func readHead(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) -> RequestHead? {
        let rest = position..<input.count
        let buffered = head.count
        var length: Int?
        if buffered == 0 {
            do throws(RequestError) {
                length = try scanner.scan(input.extracting(rest), limit: limits.maximumHeadSize)
            } catch {
                head.append(input, in: rest.prefix(8))  // enough to tell HEAD from the others in `refuse`
                throw error
            }
            head = Array(input, in: rest.prefix(length ?? rest.count))
        } else {
            head.append(input, in: rest.prefix(max(0, limits.maximumHeadSize - buffered)))
            let gathered = head
            length = try scanner.scan(gathered.span, limit: limits.maximumHeadSize)
        }
        guard let length else {
            position = input.count
            return nil
        }
        position += length - buffered
        if head.count > length { head.removeLast(head.count - length) }
        let parsed = try RequestHead.read(head, start: scanner.start, peer: peer, limits: limits)
        head = []
        scanner = HeadScanner()
        return parsed
    }

    private mutating func readBody(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) -> Outcome {
        if position < input.count { wantsContinue = false }
        switch stage {
        case .length(let head, let length):
            let taken = min(length - body.count, input.count - position)
            body.append(input, in: position..<position + taken)
            position += taken
            return body.count == length ? finish(head) : .needMore
        case .chunked(let head):
            return try chunks.decode(input, from: &position, into: &body) ? finish(head) : .needMore
        case .refused(let error, let exchange): return .refuse(error, exchange)
        case .head: return .needMore
        }
    }

    private mutating func finish(_ head: RequestHead) -> Outcome {
        var request = head.request
        request.body = body
        body = []
        stage = .head
        return .request(request, head.exchange)
    }

    /// The owner of the connection gives up on the request that is under way.
    public mutating func refuse(_ error: RequestError) -> Outcome {
        var exchange = Exchange(persists: false)
        switch stage {
        case .head: exchange.isHead = head.dropFirst(scanner.start).starts(with: [0x48, 0x45, 0x41, 0x44, .space])  // "HEAD "
        case .length(let head, _), .chunked(let head): exchange.isHead = head.exchange.isHead
        case .refused: break
        }
        (head, body, wantsContinue) = ([], [], false)
        stage = .refused(error, exchange)
        return .refuse(error, exchange)
    }
}
