extension Room {
    /// What a room was opened with and keeps to its end. Behind one reference, for a room is copied whenever it changes.
    public final class Terms: Sendable {
        /// The room for good, while its PIN may be drawn again. Also the seed of its lots (S10).
        public let id: Identifier
        /// What people find it by for as long as it lives.
        public let pin: PIN
        /// Played with to the end, whatever catalogue the server has by then.
        public let catalogue: Catalogue
        public let createdAt: Instant
        /// From this instant on there is no such room.
        public let expiresAt: Instant
        public let revealWhen: RevealPolicy
        /// Who opened it, whether they are still its host or not: nobody may have too many.
        public let openedBy: TokenHash

        init(
            id: Identifier, pin: PIN, catalogue: Catalogue, createdAt: Instant, expiresAt: Instant, revealWhen: RevealPolicy,
            openedBy: TokenHash
        ) {
            self.id = id
            self.pin = pin
            self.catalogue = catalogue
            self.createdAt = createdAt
            self.expiresAt = expiresAt
            self.revealWhen = revealWhen
            self.openedBy = openedBy
        }
    }

    public var id: Identifier { terms.id }
    public var pin: PIN { terms.pin }
    public var catalogue: Catalogue { terms.catalogue }
    public var createdAt: Instant { terms.createdAt }
    public var expiresAt: Instant { terms.expiresAt }
    public var revealWhen: RevealPolicy { terms.revealWhen }
    public var openedBy: TokenHash { terms.openedBy }
}
