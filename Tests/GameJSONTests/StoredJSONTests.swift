import GameJSON
import MenuGame
import TestSupport
import Testing

@Suite("What a store keeps as text") struct StoredJSONTests {
    /// One syllable composed and decomposed: equal to a `String`, different ids.
    static let ids = ["나", "\u{1102}\u{1161}", "🍲", "a\"b\\c\u{1}", ""]

    /// That of the one in an array of one.
    private func text(of draft: AnswerDraft) -> [UInt8] { Array(StoredJSON.text(of: [draft]).dropFirst().dropLast()) }

    @Test("gives back answers byte for byte") func answers() throws {
        let answers = AnswerDraft(
            answers: Self.ids.map { ($0 + "1", .list(Self.ids)) } + [("word", .word("like")), ("empty", .list([]))], vetoes: Self.ids)
        let read = try StoredJSON.answers(text(of: answers))
        #expect(read == answers)
        #expect(bytes(read.vetoes) == bytes(Self.ids))
        #expect(bytes(read.answers.map(\.card)) == bytes(answers.answers.map(\.card)))
        #expect(try StoredJSON.answers(text(of: AnswerDraft())) == AnswerDraft())
    }

    @Test("is the same of a sheet as of its draft")
    func sheets() throws {
        let catalogue = try Catalogues.shipped()
        let draft = AnswerDraft(
            answers: [
                ("hangover", .word("like")), ("spicy", .word("dislike")), ("rich", .word("skip")), ("staple", .list(["rice", "soup"])),
                ("cuisine", .list(["japanese", "korean"])),
            ], vetoes: ["seafood", "meat"])
        let ofNone = AnswerDraft(answers: [("staple", .list(["none"])), ("cuisine", .list([]))])
        for draft in [draft, ofNone, AnswerDraft()] {
            let sheet = try AnswerSheet(draft, in: catalogue)
            #expect(StoredJSON.text(of: sheet, in: catalogue) == text(of: sheet.draft(in: catalogue)))
        }
    }

    @Test("gives back ballots in their order") func ballots() throws {
        let ballots = Self.ids.map { AnswerDraft(answers: [("card", .word($0))], vetoes: [$0]) }
        #expect(try StoredJSON.ballots(StoredJSON.text(of: ballots)) == ballots)
        #expect(try StoredJSON.ballots(StoredJSON.text(of: [AnswerDraft]())) == [])
    }

    @Test("gives back an outcome with every word in both languages", arguments: [nil, [], Self.ids])
    func outcome(excludedBy: [String]?) throws {
        let menus = Self.ids.map { id in
            Outcome.Menu(
                id: Identifier(id), name: Localized(ko: id + "찌개", en: id + " stew 🍲"), likedBy: 4,
                keywords: [Recommendation.Side.has, .lacks].map { side in
                    Outcome.Keyword(trait: Identifier(id), side: side, label: Localized(ko: id, en: "e"), supporters: 3, opposers: 1)
                })
        }
        let outcome = Outcome(
            playerCount: 500, menus: menus, excludedMenus: 23, excludedBy: excludedBy?.map { Identifier($0) },
            vetoesLeftFewer: excludedBy == nil, seed: "r_0123")
        let read = try StoredJSON.outcome(StoredJSON.text(of: outcome))
        #expect(read == outcome)
        #expect(bytes(read.menus.map(\.name.ko)) == bytes(menus.map(\.name.ko)))
    }

    @Test(
        "is not guessed at where it is something else",
        arguments: ["", "{", "[]", "{}", #"{"answers":{"김비밀":1},"vetoes":[]}"#, #"{"answers":{},"vetoes":[1]}"#, #"{"answers":{}}"#])
    func faults(text: String) {
        let fault = #expect(throws: StoredJSONFault.self) { try StoredJSON.answers(Array(text.utf8)) }
        #expect(fault?.description.contains("김비밀") == false)
        #expect(throws: StoredJSONFault.self) { try StoredJSON.outcome(Array(text.utf8)) }
    }

    private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
