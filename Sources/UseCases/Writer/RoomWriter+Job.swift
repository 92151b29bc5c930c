import MenuGame

extension RoomWriter {
    /// A command on its way. A reference, for it goes through many hands.
    final class Job: Sendable {
        let target: Target
        /// What the command's answer is to be kept under; `nil` where it is carried out as often as it comes.
        let claim: Claim?
        /// Applies the command to its room. Pure, for it is run again on a reloaded room after a conflict; a room that refuses is
        /// unchanged.
        let apply: @Sendable (inout Room, Instant) -> Applied
        /// Told where there was no room to apply it to.
        let fail: @Sendable (Failure) -> Void
        /// Whether it is what reveals a room that is due; all else waits until that is done.
        let settles: Bool

        init(
            target: Target, claim: Claim? = nil, apply: @escaping @Sendable (inout Room, Instant) -> Applied,
            fail: @escaping @Sendable (Failure) -> Void, settles: Bool = false
        ) {
            self.target = target
            self.claim = claim
            self.apply = apply
            self.fail = fail
            self.settles = settles
        }

        enum Target: Sendable {
            case room(PIN)
            case new(Opening)
        }

        /// A room to be opened.
        struct Opening: Sendable {
            /// Who opens it.
            let opener: TokenHash
            /// Whether its PIN is to have no zero in front.
            let pinIsNumber: Bool
            /// Asked when it is known that it is no repeat, perhaps more than once. What it has granted is to be taken back where `fail` is
            /// called.
            let admit: @Sendable () -> Failure?
            let open: @Sendable (PIN, Identifier, Instant) -> Room
        }

        /// Why it need not be tried at all: who opens a room and is not admitted is to cost the store nothing. Whether it is a repeat has
        /// to be looked up first.
        var refusalAtOnce: Failure? {
            guard claim == nil, case .new(let opening) = target else { return nil }
            return opening.admit()
        }

        /// What is said when the command has been carried out, and what is to be kept of that.
        struct Applied: Sendable {
            let answer: Completion<PublishedRoom>
            var receipt: Receipt?
        }

        /// How to answer a command that was carried out before.
        struct Claim: Sendable {
            let key: ReceiptKey
            let give: @Sendable (Receipt) -> Void
        }
    }
}
