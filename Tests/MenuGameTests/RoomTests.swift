import GameJSON
import MenuGame
import TestSupport
import Testing

@Suite("A room")
struct RoomTests {
    private let catalogue: Catalogue
    private let start = Instant(milliseconds: 1_790_000_000_000)

    init() throws { catalogue = try Catalogues.shipped() }

    private func open(_ policy: RevealPolicy = RevealPolicy(), deadlineAt: Instant? = nil) throws -> Room {
        Room(
            id: Identifier("r_1"), pin: try #require(PIN("004217")), catalogue: catalogue, host: token(1), nickname: nil,
            revealWhen: policy,
            deadlineAt: deadlineAt, lifetime: 1000, at: start)
    }

    private func token(_ number: UInt8) -> TokenHash { TokenHash.beginning([number]) }

    private func sheet(_ vetoes: String...) throws -> AnswerSheet { try AnswerSheet(AnswerDraft(vetoes: vetoes), in: catalogue) }

    @Test("Every change raises the sequence by what happened, and doing nothing does not")
    func sequence() throws {
        var room = try open()
        #expect(room.sequence == 1)
        #expect(room.takeEvents().count == 1)
        _ = try room.join(token(1), nickname: nil, at: start)
        try room.withdraw(token(1))
        #expect(room.sequence == 1)
        #expect(room.takeEvents().isEmpty)
        // Joining and submitting are two things.
        _ = try room.submit(sheet(), by: token(2), at: start)
        #expect(room.sequence == 3)
        // So are a host's leaving and the hand-over.
        try room.leave(token(1))
        #expect(room.sequence == 5)
        #expect(room.host == MemberID(number: 2))
        #expect(room.takeEvents().count == 4)
    }

    @Test("A room that refuses is unchanged")
    func refusals() throws {
        var room = try open()
        for number in 2...250 { _ = try room.join(token(UInt8(number)), nickname: nil, at: start) }
        for number in 0..<250 { _ = try room.join(TokenHash.beginning([0, 1, UInt8(number)]), nickname: nil, at: start) }
        #expect(room.members.count == 500)
        let before = RoomRecord(room)
        #expect(throws: Refusal.roomFull) { try room.submit(sheet(), by: token(255), at: start) }
        #expect(throws: Refusal.noSubmissions) { try room.reveal(at: start) }
        #expect(throws: Refusal.notMember) { try room.leave(token(255)) }
        #expect(throws: Refusal.notHost) { try room.mayReveal(token(2), at: start) }
        #expect(RoomRecord(room) == before)
    }

    @Test("A PIN that is to be a number is one with its first digit, of a small space the last ones too")
    func numbers() throws {
        var random = SystemRandomNumberGenerator()
        for digits in 6...9 {
            for pin in PINSpace(digits: digits).draw(asNumbers: true, using: &random) {
                #expect(pin.digits == digits)
                #expect("\(pin.number)" == pin.text)
            }
        }
        #expect(PINSpace(first: 100_000).draw(asNumbers: true, using: &random).isEmpty)
        #expect(Set(PINSpace(first: 100_002).draw(asNumbers: true, using: &random).map(\.text)) == ["100000", "100001"])
        #expect(try #require(PIN("004217")).number == 4217)
    }

    @Test("In a room that may be revealed without a word of who asks, whoever does say is asked who they are")
    func anyone() throws {
        var room = try open(RevealPolicy(anyone: true))
        _ = try room.submit(sheet(), by: token(2), at: start)
        try room.mayReveal(nil, at: start)
        try room.mayReveal(token(1), at: start)
        for other in [token(2), token(3)] { #expect(throws: Refusal.notHost) { try room.mayReveal(other, at: start) } }
        #expect(throws: Refusal.notHost) { try open().mayReveal(nil, at: start) }
        // What has been done any member may ask for.
        _ = try room.reveal(at: start)
        try room.mayReveal(token(2), at: start)
        #expect(throws: Refusal.notHost) { try room.mayReveal(token(3), at: start) }
    }

    @Test("The host of a room that reveals by itself is told so, and others that they are not the host")
    func notByHand() throws {
        var room = try open(RevealPolicy(host: false, submissions: 5))
        _ = try room.submit(sheet(), by: token(2), at: start)
        #expect(throws: Refusal.notByHand) { try room.mayReveal(token(1), at: start) }
        for other in [token(2), token(3)] { #expect(throws: Refusal.notHost) { try room.mayReveal(other, at: start) } }
    }

    @Test("What is written down gives the same room and the same result")
    func record() throws {
        var room = try open()
        _ = try room.submit(sheet("meat"), by: token(1), at: start)
        _ = try room.submit(sheet("meat", "spicy"), by: token(2), at: start)
        _ = try room.submit(sheet(), by: token(1), at: start)
        var restored = try Room(RoomRecord(room), catalogue: catalogue)
        #expect(RoomRecord(restored) == RoomRecord(room))
        #expect(restored.recommendation() == room.recommendation())
        #expect(try restored.submit(sheet(), by: token(3), at: start).submission.id.description == "s_4")
        _ = try room.reveal(at: start)
        #expect(try Room(RoomRecord(room), catalogue: catalogue).result == room.result)
    }

    @Test("The ballots that a result keeps are in no order that tells who gave them, and derive it again")
    func ballots() throws {
        let sheets = try [sheet("spicy"), sheet(), sheet("meat"), sheet("seafood", "spicy")]
        let results = try [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]].map { order in
            var room = try open()
            for (number, index) in order.enumerated() { _ = try room.submit(sheets[index], by: token(UInt8(number + 1)), at: start) }
            return try room.reveal(at: start)
        }
        #expect(Set(results.map(\.ballots)).count == 1)
        #expect(Set(results.map(\.outcome)).count == 1)
        let again = try results[0].ballots.map { Ballot(try AnswerSheet($0, in: catalogue)) }
        let recommendation = Recommendation(of: again, in: catalogue, seed: results[0].outcome.seed)
        #expect(Outcome(recommendation, in: catalogue, seed: "r_1", ofGroup: true) == results[0].outcome)
    }

    @Test("A later submission replaces the earlier, and taking it back leaves nothing of it")
    func replacing() throws {
        var room = try open()
        let none = room.recommendation()
        _ = try room.submit(sheet("meat", "seafood"), by: token(1), at: start)
        let first = try room.submit(sheet("spicy"), by: token(1), at: start)
        #expect(first.submission.revision == 2)
        #expect(!first.isNew)
        #expect(room.submissionCount == 1)
        try room.withdraw(token(1))
        #expect(room.submissionCount == 0)
        #expect(room.recommendation() == none)
        let second = try room.submit(sheet(), by: token(1), at: start)
        #expect(second.isNew)
        #expect(second.submission.id != first.submission.id)
    }

    @Test(
        "PINs are six to nine digits with their zeros",
        arguments: [
            ("004217", true), ("000000", true), ("123456789", true), ("999999999", true), ("12345", false), ("1234567890", false),
            ("12345a", false),
            ("１２３４５６", false),
            ("", false), ("+12345", false),
        ])
    func pins(text: String, isValid: Bool) { #expect((PIN(text)?.text == text) == isValid) }

    @Test("PINs of different lengths are different, whatever number they spell")
    func lengths() throws {
        let pins = try (6...9).map { try #require(PIN(String(repeating: "0", count: $0 - 2) + "42")) }
        #expect(Set(pins).count == 4)
        #expect(pins.map(\.digits) == [6, 7, 8, 9])
        #expect(pins.allSatisfy { $0.number == 42 })
        #expect(pins.map(\.text) == ["000042", "0000042", "00000042", "000000042"])
    }

    @Test("A small PIN space is drawn to the last, a large one a few times; a crowded one is followed by one with a digit more")
    func pinSpaces() {
        var random = SystemRandomNumberGenerator()
        #expect(PINSpace(first: 0).draw(using: &random).map(\.text) == ["000000"])
        #expect(PINSpace(first: .max) == PINSpace(digits: 6))
        #expect(Set(PINSpace(first: 10).draw(using: &random).map(\.text)) == Set((0..<10).map { "00000\($0)" }))
        let drawn = PINSpace(digits: 6).draw(using: &random)
        #expect(drawn.count == 64)
        #expect(drawn.allSatisfy { PIN($0.text) != nil && $0.digits == 6 })
        #expect(!PINSpace(digits: 6).isCrowded(by: 10_000))
        #expect(PINSpace(digits: 6).isCrowded(by: 10_001))
        #expect(PINSpace(digits: 6).next == PINSpace(digits: 7))
        #expect(PINSpace(digits: 9).next == nil)
    }
}
