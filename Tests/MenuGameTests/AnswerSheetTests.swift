import MenuGame
import TestSupport
import Testing

@Suite("Answers on a card of traits")
struct AnswerSheetTests {
    private let catalogue: Catalogue

    init() throws { catalogue = try Catalogues.shipped() }

    private func sheet(_ options: String...) throws(AnswerFaults) -> AnswerSheet {
        try AnswerSheet(AnswerDraft(answers: [("staple", .list(options))]), in: catalogue)
    }

    private func traits(_ ids: String...) -> SmallSet {
        catalogue.traits.indices.filter { ids.contains(catalogue.traits[$0].id.text) }.reduce(into: SmallSet()) { $0.insert($1) }
    }

    @Test("say of each option by itself whether it is wanted or not")
    func both() throws {
        let stances = try sheet("rice", "!noodle").stances(in: catalogue)
        #expect(stances.wanted == traits("rice"))
        #expect(stances.unwanted == traits("noodle"))
        #expect(try sheet("!noodle").stances(in: catalogue).unwanted == traits("noodle"))
    }

    @Test("are given back as they were meant", arguments: [["rice", "!noodle"], ["!noodle"], ["rice", "soup"], ["none"], []])
    func roundTrip(options: [String]) throws {
        let draft = AnswerDraft(answers: [("staple", .list(options))])
        #expect(try AnswerSheet(draft, in: catalogue).draft(in: catalogue) == draft)
    }

    @Test("that want none of the options are the same, however they say it")
    func none() throws {
        #expect(try sheet("!soup", "!rice", "!noodle") == sheet("none"))
    }

    @Test(
        "are refused where they contradict themselves or name what is not there",
        arguments: [
            (["rice", "!rice"], AnswerFault.Kind.wantedAndUnwanted, 1), (["!rice", "soup", "rice"], .wantedAndUnwanted, 2),
            (["!rice", "none"], .noneNotAlone, 1), (["!none"], .unknownOption, 0), (["!"], .unknownOption, 0),
            (["!!rice"], .unknownOption, 0),
            (["! rice"], .unknownOption, 0), (["!spicy"], .unknownOption, 0),
        ])
    func refused(options: [String], kind: AnswerFault.Kind, position: Int) {
        let error = #expect(throws: AnswerFaults.self) {
            try AnswerSheet(AnswerDraft(answers: [("staple", .list(options))]), in: catalogue)
        }
        #expect(error?.faults == [AnswerFault(kind, card: "staple", position: position)])
    }

    @Test("are the only ones that know options that are not wanted: a cuisine is wanted or not named")
    func cuisines() {
        let error = #expect(throws: AnswerFaults.self) {
            try AnswerSheet(AnswerDraft(answers: [("cuisine", .list(["!korean"]))]), in: catalogue)
        }
        #expect(error?.faults == [AnswerFault(.unknownOption, card: "cuisine", position: 0)])
    }
}
