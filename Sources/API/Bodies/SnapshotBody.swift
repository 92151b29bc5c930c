import JSON
import MenuGame
import UseCases

/// What a room is to one caller.
struct CallerView {
    let isHost: Bool
    let isMember: Bool
    let hasSubmitted: Bool

    /// How many views there can be.
    static let variants = 8

    init(_ published: PublishedRoom, _ caller: TokenHash?) {
        (isMember, isHost, hasSubmitted) = caller.map(published.standing) ?? (false, false, false)
    }

    /// All of it in one digit below `variants`, for an entity tag.
    var flags: Int { (isHost ? 4 : 0) + (isMember ? 2 : 0) + (hasSubmitted ? 1 : 0) }
}

extension JSONWriter {
    /// `RoomSnapshot`: what everybody may know of a room, and what the caller is in it. Nobody's answers are in it.
    mutating func snapshot(of published: PublishedRoom, for caller: TokenHash?, at now: Instant) {
        snapshot(of: published, as: CallerView(published, caller), at: now)
    }

    mutating func snapshot(of published: PublishedRoom, as view: CallerView, at now: Instant) {
        object { writer in
            writer.members(encoded: published.presented(by: Self.sharedMembers))
            writer.member("serverTime", now.milliseconds)
            writer.member("staleAt", now.advanced(by: APIBounds.freshness).milliseconds)
            writer.member("isHost", view.isHost)
            writer.member("isMember", view.isMember)
            writer.member("hasSubmitted", view.hasSubmitted)
        }
    }

    /// The members of a snapshot that are the same for everybody and as long as the room is.
    private static func sharedMembers(of room: Room) -> [UInt8] {
        JSONWriter.bytes(reserving: 400 + 75 * room.members.count) { $0.sharedMembers(of: room) }
    }

    private mutating func sharedMembers(of room: Room) {
        member("id", room.id.text)
        member("pin", room.pin.text)
        member("round", room.round)
        member("phase", room.phase.rawValue)
        member("sequence", room.sequence)
        member("createdAt", room.createdAt.milliseconds)
        member("expiresAt", room.expiresAt.milliseconds)
        member("deadlineAt", room.deadlineAt?.milliseconds)
        name("revealWhen")
        policy(room.revealWhen)
        name("decision")
        if let decision = room.result?.decision {
            object { $0.member("menuId", decision.text) }
        } else {
            null()
        }
        member("memberCount", room.members.count)
        member("submissionCount", room.submissionCount)
        name("members")
        array { writer in
            // In place: there may be hundreds, and of most nothing but the name is a reference to be counted.
            let members = room.members.span
            for place in members.indices {
                writer.object { writer in
                    writer.name("id")
                    writer.string(MemberID.prefix, then: members[place].id.number)
                    writer.member("nickname", members[place].nickname?.text)
                    writer.member("isHost", room.isHost(members[place].id))
                    writer.member("hasSubmitted", members[place].submission != nil)
                }
            }
        }
    }

    private mutating func policy(_ policy: RevealPolicy) {
        object { writer in
            writer.member("host", policy.host)
            writer.member("anyMember", policy.anyMember)
            writer.member("deadline", policy.deadline)
            writer.member("submissions", policy.submissions.map(Int64.init))
        }
    }
}
