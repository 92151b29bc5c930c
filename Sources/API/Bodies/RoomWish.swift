import GameJSON
import JSON
import MenuGame

/// The body of `POST /v1/rooms`.
struct RoomWish {
    let nickname: Nickname?
    let revealWhen: RevealPolicy
    let deadlineAt: Instant?

    init(_ json: JSONValue?, at now: Instant, lifetime: Int64) throws(Problem) {
        var reader = try BodyReader(json)
        nickname = reader.nickname() ?? nil
        deadlineAt = Self.deadline(&reader, now, lifetime)
        revealWhen = Self.policy(&reader, hasDeadline: deadlineAt != nil)
        try reader.finish()
    }

    private static func deadline(_ reader: inout BodyReader, _ now: Instant, _ lifetime: Int64) -> Instant? {
        guard let milliseconds = reader.integer(reader.json["deadlineAt"], "/deadlineAt") else { return nil }
        let deadline = Instant(milliseconds: milliseconds)
        if deadline <= now || deadline >= now.advanced(by: lifetime) {
            reader.fault(.badDeadline)
        }
        return deadline
    }

    private static func policy(_ reader: inout BodyReader, hasDeadline: Bool) -> RevealPolicy {
        var policy = RevealPolicy()
        guard let json = reader.json["revealWhen"], !json.isNull else { return policy }
        guard json.object != nil else {
            reader.fault(.init("/revealWhen", .object))
            return policy
        }
        policy.host = reader.bool(json["host"], "/revealWhen/host", or: true)
        policy.anyMember = reader.bool(json["anyMember"], "/revealWhen/anyMember", or: false)
        policy.deadline = reader.bool(json["deadline"], "/revealWhen/deadline", or: false)
        if let enough = reader.integer(json["submissions"], "/revealWhen/submissions") {
            policy.submissions = Int(exactly: enough)
            if !(1...Int64(Limits.membersPerRoom)).contains(enough) {
                reader.fault(
                    "/revealWhen/submissions", ko: "1에서 \(Limits.membersPerRoom) 사이여야 합니다",
                    en: "has to be within 1 to \(Limits.membersPerRoom)")
            }
        }
        if policy.deadline, !hasDeadline {
            reader.fault("/revealWhen/deadline", ko: "deadlineAt이 필요합니다", en: "needs deadlineAt")
        }
        if !policy.canBeMet { reader.fault("/revealWhen", ko: "결과를 공개할 방법이 없습니다", en: "leaves no way to reveal the result") }
        return policy
    }
}
