import GameJSON
import JSON
import MenuGame
import Testing

@Suite("A tally")
struct TallyTests {
    @Test("holds the sums of the naive rule") func sums() throws {
        var cases = RandomCases(seed: 14)
        for _ in 0..<200 {
            let json = cases.next(menus: 3...9)
            let (question, naive) = (try RecommendationCase(json: json), NaiveRule(json))
            let tally = Tally(of: question.ballots, in: question.catalogue)
            #expect(tally.members == naive.members.count)
            #expect(tally.weight == naive.members.reduce(0) { $0 + $1.weight })
            #expect(tally.totals == naive.menus.map(naive.total))
            #expect(question.catalogue.menus.map { $0.isExcluded(by: tally.vetoes) } == naive.menus.map(naive.isVetoed))
            #expect(tally.supporters == naive.traits.map { naive.count($0, 1) })
            #expect(tally.opposers == naive.traits.map { naive.count($0, -1) })
        }
    }

    @Test("is safe at the limits") func limits() throws {
        let traits = (0..<Limits.traits).map { "t\($0)" }
        let sheet = AnswerDraft(answers: traits.map { ($0, .word("like")) } + [("cuisine", .list(["a"]))])
        let catalogue = try TinyCatalogue(traits: traits, cuisines: ["a", "b"]).with(
            .init("all", Dictionary(uniqueKeysWithValues: traits.map { ($0, 2) }), cuisines: ["a"]))
        let ballots = Array(repeating: Ballot(try AnswerSheet(sheet, in: catalogue), weight: 4), count: Limits.membersPerRoom)
        let tally = Tally(of: ballots, in: catalogue)
        #expect(tally.weight == 2000)
        // 500 members × weight 4 × utility 23 × (27,720 / 12 answers)
        #expect(tally.totals == [106_260_000])
        #expect(Recommendation(of: ballots, in: catalogue, seed: "").menus.map(\.likedBy) == [500])
    }
}
