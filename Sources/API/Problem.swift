import HTTP
import JSON
import MenuGame
import UseCases

/// An error as clients see it: a problem document (RFC 9457) with a stable `code`.
struct Problem: Error, Sendable {
    let code: Code
    /// What went wrong, and what helps.
    let detail: Localized
    var errors: [Fault] = []
    /// The caller's submission as it is, where that is not the one that they had in mind.
    var submission: (Submission, in: Catalogue)?
    /// Fields beside those of every problem: `Allow`, `Retry-After`, `WWW-Authenticate`.
    var fields: [Field] = []

    /// One thing wrong with a body.
    struct Fault: Sendable {
        /// JSON Pointer (RFC 6901).
        let pointer: String
        let detail: Localized
    }

    /// - Parameter detail: where there is more to say than the code does.
    init(_ code: Code, detail: Localized? = nil, errors: [Fault] = [], fields: [Field] = []) {
        self.code = code
        self.detail = detail ?? code.detail
        self.errors = Array(errors.prefix(APIBounds.faultsTold))
        // What is known of this problem goes before what holds for all of its code: nothing is said twice.
        self.fields = fields + code.fields.filter { common in !fields.contains { $0.name == common.name } }
    }

    /// Every code of the contract that is in use. The one table from errors to statuses.
    enum Code: String, CaseIterable, Sendable {
        case malformedRequest = "malformed-request"
        case malformedJSON = "malformed-json"
        case tokenRequired = "token-required"
        case notHost = "not-host"
        case notMember = "not-member"
        case removed
        case roomNotFound = "room-not-found"
        case submissionNotFound = "submission-not-found"
        case menuNotFound = "menu-not-found"
        case routeNotFound = "route-not-found"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        case unsupportedMediaType = "unsupported-media-type"
        case alreadyRevealed = "already-revealed"
        case notRevealed = "not-revealed"
        case noSubmissions = "no-submissions"
        case roomFull = "room-full"
        case alreadyDecided = "already-decided"
        case revisionMismatch = "revision-mismatch"
        case invalidBody = "invalid-body"
        case unknownCard = "unknown-card"
        case unknownOption = "unknown-option"
        case unknownVeto = "unknown-veto"
        case idempotencyKeyReused = "idempotency-key-reused"
        case tooManyAttempts = "too-many-attempts"
        case noFreePIN = "no-free-pin"
        case storeUnavailable = "store-unavailable"
        case shuttingDown = "shutting-down"

        var status: Status {
            switch self {
            case .malformedRequest, .malformedJSON: Status(400)
            case .tokenRequired: Status(401)
            case .notHost, .notMember, .removed: Status(403)
            case .roomNotFound, .submissionNotFound, .menuNotFound, .routeNotFound: Status(404)
            case .methodNotAllowed: Status(405)
            case .notAcceptable: Status(406)
            case .unsupportedMediaType: Status(415)
            case .alreadyRevealed, .notRevealed, .noSubmissions, .roomFull, .alreadyDecided: Status(409)
            case .revisionMismatch: Status(412)
            case .invalidBody, .unknownCard, .unknownOption, .unknownVeto, .idempotencyKeyReused: Status(422)
            case .tooManyAttempts: Status(429)
            case .noFreePIN, .storeUnavailable, .shuttingDown: Status(503)
            }
        }

        fileprivate var fields: [Field] {
            switch self {
            case .tokenRequired: [Field(.wwwAuthenticate, "Bearer")]
            case .noFreePIN: [Field(.retryAfter, "60")]
            case .tooManyAttempts: [Field(.retryAfter, "5")]
            case .storeUnavailable, .shuttingDown: [Field(.retryAfter, "1")]
            default: []
            }
        }
    }

    func response(in language: Language) -> Response {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "about:blank")
            writer.member("title", code.title[language])
            writer.member("status", code.status.code)
            writer.member("detail", detail[language])
            writer.member("code", code.rawValue)
            if !errors.isEmpty {
                writer.member("errors", array: errors) { writer, fault in
                    writer.object { writer in
                        writer.member("pointer", fault.pointer)
                        writer.member("detail", fault.detail[language])
                    }
                }
            }
            if let (submission, catalogue) = submission {
                writer.name("submission")
                writer.submission(submission, in: catalogue)
            }
        }
        return Response(
            code.status,
            fields: [
                Field(.contentType, "application/problem+json"), Field(.contentLanguage, language.rawValue),
                Field(.vary, "Accept-Language"),
                Field(.cacheControl, "no-store"),
            ] + fields, body: writer.bytes)
    }
}

extension Problem {
    /// A time to wait in whole seconds (RFC 9110 §10.2.3), at least one and not one too early.
    private static func retryAfter(_ wait: Duration) -> String {
        let (seconds, attoseconds) = wait.components
        return String(max(1, attoseconds > 0 ? seconds + 1 : seconds))
    }

    init(_ failure: Failure) {
        var detail: Localized?
        var errors: [Fault] = []
        var fields: [Field] = []
        let code: Code
        switch failure {
        case .roomNotFound: code = .roomNotFound
        case .idempotencyKeyReused: code = .idempotencyKeyReused
        case .limited(let wait):
            code = .tooManyAttempts
            fields = [Field(.retryAfter, Self.retryAfter(wait))]
        case .tooManyRooms(let wait):
            code = .tooManyAttempts
            fields = [Field(.retryAfter, Self.retryAfter(wait))]
            detail = Localized(
                ko: "이 기기에서 연 방이 너무 많습니다. 방 하나를 닫거나, 하나가 끝나기를 기다려 주세요.",
                en: "This device has as many open rooms as it may have. Close one, or wait until one ends.")
        case .noFreePIN: code = .noFreePIN
        case .storeUnavailable: code = .storeUnavailable
        case .shuttingDown: code = .shuttingDown
        case .refused(let refusal):
            code = Code(refusal)
            // What was asked for by name in a body is named there.
            switch refusal {
            case .notByHand:
                detail = Localized(
                    ko: "이 방의 결과는 마감 시각이 되거나 답이 충분히 모이면 저절로 공개됩니다.",
                    en: "This room reveals its result by itself, at its deadline or when enough have answered.")
            case .unknownMember:
                errors = [Fault(pointer: "/memberId", detail: Localized(ko: "그런 멤버가 없습니다", en: "there is no such member"))]
            case .unknownMenu:
                errors = [Fault(pointer: "/menuId", detail: Localized(ko: "결과에 없는 메뉴입니다", en: "is none of the result's menus"))]
            case .badDeadline: errors = [.badDeadline]
            default: break
            }
        }
        self.init(code, detail: detail, errors: errors, fields: fields)
    }
}

extension Problem.Code {
    fileprivate init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .notHost, .notByHand: .notHost
            case .notMember: .notMember
            case .removed: .removed
            case .roomFull, .exhausted: .roomFull
            case .unknownMember, .unknownMenu, .badDeadline: .invalidBody
            case .alreadyRevealed: .alreadyRevealed
            case .noSubmissions: .noSubmissions
            case .noSubmission: .submissionNotFound
            case .notRevealed: .notRevealed
            case .alreadyDecided: .alreadyDecided
            }
    }
}
