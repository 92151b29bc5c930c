internal import MenuGame
internal import UseCases

// How the domain's values are bound and read.

extension SQL.Interpolation {
    mutating func appendInterpolation(_ id: Identifier) { appendInterpolation(id.text) }
    mutating func appendInterpolation(_ ids: [Identifier]) { appendInterpolation(ids.map(\.text)) }
    mutating func appendInterpolation(_ pin: PIN) { appendInterpolation(pin.text) }
    mutating func appendInterpolation(_ pins: [PIN]) { appendInterpolation(pins.map(\.text)) }
    mutating func appendInterpolation(_ instant: Instant?) { appendInterpolation(instant?.milliseconds) }
    mutating func appendInterpolation(_ member: MemberID?) { appendInterpolation(member?.number) }
    mutating func appendInterpolation(_ submission: SubmissionID) { appendInterpolation(submission.number) }
    mutating func appendInterpolation(_ token: TokenHash) { appendInterpolation(blob: token.bytes) }
    mutating func appendInterpolation(_ tokens: [TokenHash]) { appendInterpolation(blobs: tokens.map(\.bytes)) }
    mutating func appendInterpolation(_ nickname: Nickname?) { appendInterpolation(nickname?.text) }
}

extension Row {
    mutating func identifier() -> Identifier { Identifier(text()) }
    mutating func instant() -> Instant { Instant(milliseconds: integer64()) }
    mutating func memberID() -> MemberID { MemberID(number: integer()) }

    mutating func tokenHash() throws(StoreError) -> TokenHash {
        guard let token = TokenHash(bytes: bytes()) else { throw StoreError("database: a token's hash is not 32 bytes long") }
        return token
    }

    mutating func pin() throws(StoreError) -> PIN {
        guard let pin = PIN(text()) else { throw StoreError("database: a room's PIN is none") }
        return pin
    }
}
