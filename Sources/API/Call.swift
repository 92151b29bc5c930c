import HTTP
import JSON
import MenuGame
import UseCases

/// One request on its way through a handler: what was asked, by whom, in which language, and where the answer goes.
///
/// A class, for every closure on the way holds it, and to hold the request itself each would count six references.
final class Call: Sendable {
    let request: Request
    let match: RouteMatch
    let language: Language
    /// `nil` without a token, and where it is malformed.
    let caller: TokenHash?
    /// What is to be kept of the answer; `nil` for a request that may be carried out as often as it comes.
    let wish: ReceiptWish?
    /// Whether there is a token, and who has it cannot be told just now.
    let callerIsUnclear: Bool
    private let name: RequestName
    private let began: ContinuousClock.Instant
    private let reply: Reply
    private let api: API

    /// Takes the request apart.
    init(_ request: consuming Request, reply: consuming Reply, to api: API) {
        began = ContinuousClock.now
        match = RouteMatch(path: request.path, legacy: api.servesLegacy)
        let token = bearerToken(request.fields)
        name = RequestName(request.fields, token: token, fresh: api.requestIDs.next)
        language = Language(preferredBy: request.fields)
        caller = token.flatMap(api.hash)
        callerIsUnclear = token != nil && caller == nil
        wish = nil
        self.request = request
        self.reply = reply
        self.api = api
    }

    private init(_ call: Call, claiming wish: ReceiptWish) {
        (request, match, language, caller, self.wish) = (call.request, call.match, call.language, call.caller, wish)
        (callerIsUnclear, name, began, reply, api) = (call.callerIsUnclear, call.name, call.began, call.reply, call.api)
    }

    /// The same request, whose answer is to be kept.
    func claiming(_ wish: ReceiptWish) -> Call { Call(self, claiming: wish) }

    func send(_ response: consuming Response) {
        complete(&response)
        reply.send(response)
    }

    /// What is done with every response, or the head of a stream, before it goes out.
    private func complete(_ response: inout Response) {
        api.observe(
            Access(
                requestID: name.id, trace: name.trace, method: request.method, route: match.endpoint.number, status: response.status,
                duration: ContinuousClock.now - began))
        response.fields.append(Field(.requestID, name.id))
    }

    /// Where the request comes from. For limits, not for who somebody is.
    var address: ClientAddress { ClientAddress(of: request, behindProxy: api.throttle.trustsProxy) }

    /// Whatever came of it, a PIN that no room has is told here, and so it is counted here.
    func refuse(_ problem: Problem) {
        let limit = problem.code == .roomNotFound ? countFailedLookup() : nil
        send((limit.map { Problem($0) } ?? problem).response(in: language))
    }

    /// Counts a PIN that no room has; the failure to answer with where there were too many.
    @discardableResult
    func countFailedLookup() -> Failure? {
        api.throttle.countFailedLookup(of: match.pin.flatMap { PIN($0) }, by: address)
    }

    /// See `Throttle`.
    func countRegistration() -> Failure? { api.throttle.countRegistration(by: address) }

    func refuse(_ failure: Failure) { refuse(Problem(failure)) }

    /// Sends a JSON body of the contract.
    func send(
        _ status: Int, fields: [Field] = [], _ write: (inout JSONWriter) -> Void
    ) {
        send(Response(status, fields: fields, write))
    }

    /// Answers a command that has nothing to say when it succeeds.
    func sendNothing<Answer>(_ result: Result<Answer, Failure>) {
        switch result {
        case .failure(let failure): refuse(failure)
        case .success: send(Response(Status(204)))
        }
    }

    /// Answers with a body that stays open; see `Reply.stream`.
    func stream(_ head: consuming Response, heartbeat: Heartbeat) -> any ResponseStream {
        complete(&head)
        return reply.stream(head, heartbeat: heartbeat)
    }

    /// Tells an answer that waits that there is no more point in it; see `Reply.onInterruption`.
    func onInterruption(_ handler: @escaping @Sendable (CloseReason) -> Void) { reply.onInterruption(handler) }

    /// The fields that say which language was chosen and that another request may get another.
    var localized: [Field] { [Field(.contentLanguage, language.rawValue), Field(.vary, "Accept-Language")] }

    func requireCaller() throws(Problem) -> TokenHash {
        guard let caller else { throw Problem(.tokenRequired) }
        return caller
    }

    /// The PIN in a path. What is none names no room, like any other PIN that no room has; so that they answer alike in all, it is asked
    /// for when the rest of the request has been found to be right.
    func pin(_ text: String) throws(Problem) -> PIN {
        guard let pin = PIN(text) else { throw Problem(.roomNotFound) }
        return pin
    }

    /// The JSON body; `nil` for none, where there may be none.
    ///
    /// - Parameter type: a media type that is taken besides `application/json`.
    func json(optional: Bool = false, or type: String? = nil) throws(Problem) -> JSONValue? {
        if optional, request.body.isEmpty { return nil }
        return JSONValue(try text(or: type))
    }

    /// The JSON body, of which nothing has been copied yet; see `json`.
    func text(or type: String? = nil) throws(Problem) -> JSONText {
        let isTaken = request.fields.values(of: .contentType).allSatisfy { field in
            Self.names("application/json", field) || type.map { Self.names($0, field) } ?? false
        }
        guard isTaken, request.fields[.contentEncoding] == nil else { throw Problem(.unsupportedMediaType) }
        do throws(JSONError) { return try JSONText(parsing: request.body) } catch { throw Problem(.malformedJSON) }
    }

    /// Whether a field has this media type, whatever its parameters. None of ours has any: JSON is UTF-8 (RFC 8259 §8.1).
    ///
    /// - Parameter type: in lower case.
    private static func names(_ type: String, _ field: ArraySlice<UInt8>) -> Bool {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let essence = field.prefix { $0 != UInt8(ascii: ";") }.drop(while: isBlank)
        let rest = essence.dropFirst(type.utf8.count)
        return rest.allSatisfy(isBlank) && essence.prefix(type.utf8.count).elementsEqual(type.utf8) { $0.asciiLowercased == $1 }
    }
}

extension Response {
    /// A JSON body of the contract. What a room holds is its members' affair: no cache keeps it.
    init(_ status: Int, fields: [Field] = [], _ write: (inout JSONWriter) -> Void) {
        self.init(Status(status), body: JSONWriter.bytes(reserving: 2048, write))
        // With room for the request's id.
        self.fields.reserveCapacity(3 + fields.count)
        self.fields.append(Field(.contentType, "application/json"))
        self.fields.append(Field(.cacheControl, "no-store"))
        self.fields.append(contentsOf: fields)
    }
}
