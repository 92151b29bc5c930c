import GameJSON
import JSON
import MenuGame
import Testing

@Suite("A tally")
struct TallyTests {
    @Test("after any additions and removals is that of who is left") func addAndRemove() throws {
        var cases = RandomCases(seed: 12)
        var random = Generator(seed: 12)
        for _ in 0..<200 {
            let question = try RecommendationCase(json: cases.next(members: 1...9))
            var tally = Tally(of: question.ballots, in: question.catalogue)
            var left = question.ballots.shuffled(using: &random)
            for _ in 0..<random.number(0...left.count) {
                let gone = left.removeLast()
                tally.remove(gone.sheet, weight: gone.weight, in: question.catalogue)
            }
            var fresh = Tally(for: question.catalogue)
            for ballot in left { fresh.add(ballot.sheet, weight: ballot.weight, in: question.catalogue) }
            #expect(tally == fresh)
        }
    }

    @Test("in which answers were replaced is that of the new ones") func replace() throws {
        var cases = RandomCases(seed: 15)
        for _ in 0..<200 {
            let question = try RecommendationCase(json: cases.next(members: 2...9))
            let catalogue = question.catalogue
            var sheets = question.ballots.map(\.sheet)
            var tally = Tally(of: sheets.map { Ballot($0) }, in: catalogue)
            for place in sheets.indices.dropLast() {
                tally.replace(sheets[place], by: sheets[place + 1], in: catalogue)
                sheets[place] = sheets[place + 1]
            }
            #expect(tally == Tally(of: sheets.map { Ballot($0) }, in: catalogue))
        }
    }

    @Test("of everybody gone is nobody's") func emptied() throws {
        var cases = RandomCases(seed: 13)
        let question = try RecommendationCase(json: cases.next(members: 5...5))
        var tally = Tally(of: question.ballots, in: question.catalogue)
        #expect(tally.members == 5)
        for ballot in question.ballots { tally.remove(ballot.sheet, weight: ballot.weight, in: question.catalogue) }
        #expect(tally == Tally(for: question.catalogue))
    }

    @Test("holds the sums of the naive rule") func sums() throws {
        var cases = RandomCases(seed: 14)
        for _ in 0..<200 {
            let json = cases.next(menus: 3...9)
            let (question, naive) = (try RecommendationCase(json: json), NaiveRule(json))
            let tally = Tally(of: question.ballots, in: question.catalogue)
            #expect(tally.members == naive.members.count)
            #expect(tally.weight == naive.members.reduce(0) { $0 + $1.weight })
            #expect(tally.totals == naive.menus.map(naive.total))
            #expect(tally.excluders.map { $0 > 0 } == naive.menus.map(naive.isVetoed))
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
        #expect(Recommendation(of: ballots, tally: tally, in: catalogue, seed: "").menus.map(\.likedBy) == [500])
    }
}
