import HTTP
import MenuGame

extension Problem.Code {
    /// The status in words. The type is `about:blank`, whose title is that of the status (RFC 9457 §4.2.1); what went wrong is in `detail`.
    var title: Localized {
        switch status.code {
        case 400: Localized(ko: "잘못된 요청", en: "Bad Request")
        case 401: Localized(ko: "토큰이 필요합니다", en: "Unauthorized")
        case 403: Localized(ko: "허용되지 않습니다", en: "Forbidden")
        case 404: Localized(ko: "찾을 수 없습니다", en: "Not Found")
        case 405: Localized(ko: "허용되지 않는 메서드", en: "Method Not Allowed")
        case 406: Localized(ko: "제공할 수 없는 형식", en: "Not Acceptable")
        case 409: Localized(ko: "지금은 할 수 없습니다", en: "Conflict")
        case 412: Localized(ko: "그사이 바뀌었습니다", en: "Precondition Failed")
        case 415: Localized(ko: "지원하지 않는 형식", en: "Unsupported Media Type")
        case 422: Localized(ko: "처리할 수 없는 내용", en: "Unprocessable Content")
        case 429: Localized(ko: "요청이 너무 많습니다", en: "Too Many Requests")
        default: Localized(ko: "지금은 이용할 수 없습니다", en: "Service Unavailable")
        }
    }

    /// What went wrong, and what helps.
    var detail: Localized {
        switch self {
        case .malformedRequest:
            Localized(ko: "요청의 주소나 헤더를 읽을 수 없습니다.", en: "The target or a field of the request cannot be read.")
        case .malformedJSON:
            Localized(
                ko: "본문이 올바른 JSON이 아니거나, 너무 큰 수나 너무 깊은 구조가 있습니다.",
                en: "The body is not valid JSON, or has a number that is too large or is nested too deep.")
        case .tokenRequired:
            Localized(
                ko: "Authorization: Bearer 뒤에 \(APIBounds.token.lowerBound)~\(APIBounds.token.upperBound)자의 기기 토큰(보이는 ASCII 문자)이 필요합니다.",
                en:
                    "A device token of \(APIBounds.token.lowerBound) to \(APIBounds.token.upperBound) visible ASCII characters is needed: Authorization: Bearer <token>."
            )
        case .notHost:
            Localized(ko: "방장만 할 수 있습니다.", en: "Only the room's host may do this.")
        case .notMember:
            Localized(ko: "이 방의 멤버가 아닙니다. 먼저 참여해 주세요.", en: "You are not a member of this room. Join it first.")
        case .removed:
            Localized(
                ko: "방장이 내보낸 방에는 다시 들어올 수 없습니다.",
                en: "The host has removed you from this room, and you cannot come back to it.")
        case .roomNotFound:
            Localized(ko: "그런 방이 없습니다. PIN을 확인해 주세요.", en: "There is no such room. Check the PIN.")
        case .submissionNotFound:
            Localized(ko: "아직 제출한 답이 없습니다.", en: "You have not submitted anything.")
        case .menuNotFound:
            Localized(ko: "그런 메뉴가 없습니다.", en: "There is no such menu.")
        case .routeNotFound:
            Localized(ko: "이 주소에는 아무것도 없습니다.", en: "There is nothing at this address.")
        case .methodNotAllowed:
            Localized(ko: "이 주소에서 쓸 수 있는 메서드는 Allow 헤더에 있습니다.", en: "The Allow field names the methods of this address.")
        case .notAcceptable:
            Localized(ko: "Accept에 있는 형식으로는 답할 수 없습니다.", en: "There is no answer in a media type that Accept names.")
        case .unsupportedMediaType:
            Localized(ko: "본문이 이 주소에서 받는 형식이 아닙니다.", en: "The body is in a media type that is not taken here.")
        case .alreadyRevealed:
            Localized(
                ko: "결과가 이미 공개되었습니다. 다음 라운드부터 다시 답할 수 있습니다.",
                en: "The result has been revealed already. The next round takes answers again.")
        case .notRevealed:
            Localized(ko: "결과가 아직 공개되지 않았습니다.", en: "The result has not been revealed yet.")
        case .noSubmissions:
            Localized(ko: "아직 아무도 답을 제출하지 않았습니다.", en: "Nobody has submitted anything yet.")
        case .roomFull:
            Localized(
                ko: "방이 가득 찼거나, 더 이상 라운드를 시작하거나 멤버를 내보낼 수 없습니다.",
                en: "The room is full, or has had all the rounds and removals that a room may have.")
        case .alreadyDecided:
            Localized(ko: "이미 다른 메뉴로 정해졌습니다.", en: "The round has been decided for another menu.")
        case .revisionMismatch:
            Localized(
                ko: "제출한 답이 그사이 바뀌었거나 없어졌습니다. 있다면 지금의 답은 submission에 있습니다.",
                en: "Your submission has changed meanwhile, or is gone; where there is one, submission is what it is now.")
        case .invalidBody:
            Localized(ko: "본문에 잘못된 값이 있습니다. errors를 확인해 주세요.", en: "The body has invalid values; see errors.")
        case .unknownCard:
            Localized(ko: "없는 카드가 있습니다. errors를 확인해 주세요.", en: "The body names unknown cards; see errors.")
        case .unknownOption:
            Localized(ko: "없는 선택지가 있습니다. errors를 확인해 주세요.", en: "The body names unknown options; see errors.")
        case .unknownVeto:
            Localized(ko: "목록에 없는 '못 먹는 음식'이 있습니다. errors를 확인해 주세요.", en: "The request names unknown vetoes; see errors.")
        case .idempotencyKeyReused:
            Localized(ko: "이 Idempotency-Key는 다른 요청에 쓰였습니다.", en: "This Idempotency-Key was used for another request.")
        case .tooManyAttempts:
            Localized(
                ko: "요청이 너무 많습니다. Retry-After에 적힌 초만큼 기다린 뒤 다시 시도해 주세요.",
                en: "That is too many. Wait for as many seconds as Retry-After says, then try again.")
        case .noFreePIN:
            Localized(ko: "남은 PIN이 없습니다. 잠시 후 다시 시도해 주세요.", en: "No PIN is free. Try again in a while.")
        case .storeUnavailable:
            Localized(ko: "지금은 저장할 수 없습니다. 잠시 후 다시 시도해 주세요.", en: "Nothing can be stored just now. Try again in a moment.")
        case .shuttingDown:
            Localized(ko: "서버가 종료되는 중입니다. 다시 시도해 주세요.", en: "The server is shutting down. Try again.")
        }
    }
}
