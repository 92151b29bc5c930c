import HTTP
import JSON
import MenuGame
import UseCases

/// One request on its way through a handler: what was asked, by whom, in which language, and where the answer goes.
///
/// A class, for every closure on the way holds it, and to hold the request itself each would count six references.
final class Call: Sendable {
    let request: Request
    let language: Language
    /// `nil` without a token, and where it is malformed.
    let caller: TokenHash?
    private let throttle: Throttle
    private let finish: @Sendable (consuming Response) -> Void

    init(
        request: Request, language: Language, caller: TokenHash?, throttle: Throttle,
        finish: @escaping @Sendable (consuming Response) -> Void
    ) {
        self.request = request
        self.language = language
        self.caller = caller
        self.throttle = throttle
        self.finish = finish
    }

    func send(_ response: consuming Response) { finish(response) }

    /// Where the request comes from. For limits, not for who somebody is.
    var address: ClientAddress { ClientAddress(of: request, behindProxy: throttle.trustsProxy) }

    /// Whatever came of it, a PIN that no room has is told here, and so it is counted here.
    func refuse(_ problem: Problem) {
        do throws(Problem) {
            if problem.code == .roomNotFound { try throttle.countFailedLookup(by: address) }
            finish(problem.response(in: language))
        } catch {
            finish(error.response(in: language))
        }
    }

    /// Counts a PIN that no room has where that is no reason to refuse anything.
    func countFailedLookup() { try? throttle.countFailedLookup(by: address) }

    func refuse(_ failure: Failure) { refuse(Problem(failure)) }

    /// Sends a JSON body of the contract. What a room holds is its members' affair: no cache keeps it.
    func send(
        _ status: Int, fields: [(name: FieldName, value: String)] = [], _ write: (inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        write(&writer)
        send(
            Response(
                Status(status), fields: [(.contentType, "application/json"), (.cacheControl, "no-store")] + fields, body: writer.bytes))
    }

    /// The fields that say which language was chosen and that another request may get another.
    var localized: [(name: FieldName, value: String)] { [(.contentLanguage, language.rawValue), (.vary, "Accept-Language")] }

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
    func json(optional: Bool = false) throws(Problem) -> JSONValue? {
        if optional, request.body.isEmpty { return nil }
        guard request.fields.values(of: .contentType).allSatisfy(Self.isJSON), request.fields.values(of: .contentEncoding).isEmpty else {
            throw Problem(.unsupportedMediaType)
        }
        do throws(JSONError) { return try JSONValue(parsing: request.body) } catch { throw Problem(.malformedJSON) }
    }

    /// `application/json`, whatever its parameters: JSON is UTF-8 (RFC 8259 §8.1).
    private static func isJSON(_ type: [UInt8]) -> Bool {
        let essence = type.prefix { $0 != UInt8(ascii: ";") }.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return essence.count == 1 && String(decoding: essence[0], as: UTF8.self).lowercased() == "application/json"
    }
}
