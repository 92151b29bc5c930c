import GameJSON
import JSON
import MenuGame
import Testing

@Suite("The rule, whatever is asked of it")
struct RulePropertyTests {
    @Test("small groups get what trying every slate gives them", arguments: 0..<6 as Range<UInt64>)
    func smallGroups(seed: UInt64) throws {
        var cases = RandomCases(seed: seed)
        for _ in 0..<300 { try compare(cases.next()) }
    }

    @Test("many menus and several words of members get what trying every slate gives them", arguments: 100..<103 as Range<UInt64>)
    func largeGroups(seed: UInt64) throws {
        var cases = RandomCases(seed: seed)
        try compare(cases.next(menus: 16...18, members: 64...90))
        for _ in 0..<6 { try compare(cases.next(menus: 14...16, members: 10...30)) }
    }

    private func compare(_ json: JSONValue) throws {
        let question = try RecommendationCase(json: json)
        let answer = answer(question.recommendation, in: question.catalogue)
        #expect(answer == NaiveRule(json).result(), "\(String(decoding: text(json), as: UTF8.self))")
    }

    @Test("neither the order of members nor that of menus matters") func order() throws {
        var cases = RandomCases(seed: 7)
        var random = Generator(seed: 7)
        for _ in 0..<300 {
            let json = cases.next()
            let (one, other) = (try RecommendationCase(json: json), try RecommendationCase(json: json.shufflingMenus(&random)))
            let shuffled = Recommendation(
                of: other.ballots.shuffled(using: &random), in: other.catalogue, seed: other.seed, avoiding: other.avoided)
            #expect(answer(one.recommendation, in: one.catalogue) == answer(shuffled, in: other.catalogue))
        }
    }

    @Test("no menu that anybody vetoes comes out, none twice, and as many as there can be") func vetoes() throws {
        var cases = RandomCases(seed: 8)
        for _ in 0..<1000 {
            let question = try RecommendationCase(json: cases.next(menus: 0...6))
            let recommendation = question.recommendation
            let excluded = Set(
                question.catalogue.menus.indices.filter { menu in
                    question.ballots.contains { question.catalogue.menus[menu].isExcluded(by: $0.sheet.vetoes) }
                })
            let chosen = Set(recommendation.menus.map(\.menu))
            #expect(chosen.isDisjoint(with: excluded))
            #expect(chosen.count == recommendation.menus.count)
            #expect(chosen.count == min(3, question.catalogue.menus.count - excluded.count))
            #expect(recommendation.excludedMenus == excluded.count)
            #expect(recommendation.reason == (chosen.count < 3 && !excluded.isEmpty ? .vetoesLeftFewer : nil))
            #expect(recommendation.playerCount == question.ballots.count)
        }
    }

    @Test("the vetoes it names are given by somebody and exclude something") func excludingVetoes() throws {
        var cases = RandomCases(seed: 9)
        for _ in 0..<1000 {
            let question = try RecommendationCase(json: cases.next())
            let given = question.ballots.reduce(into: SmallSet()) { $0.formUnion($1.sheet.vetoes) }
            let excluding = (0..<question.catalogue.vetoes.count).filter { veto in
                var one = SmallSet()
                one.insert(veto)
                return given.contains(veto) && question.catalogue.menus.contains { $0.isExcluded(by: one) }
            }
            #expect(Array(question.recommendation.excludingVetoes) == excluding)
        }
    }

    @Test("every slate out of more than three menus is fair") func fairness() throws {
        var cases = RandomCases(seed: 10)
        for _ in 0..<300 {
            let json = cases.next(menus: 4...12, members: 3...20)
            let question = try RecommendationCase(json: json)
            let naive = NaiveRule(json)
            let entries = naive.entries()
            guard entries.count > 3 else { continue }
            let chosen = Set(question.recommendation.menus.map { question.catalogue.menus[$0.menu].id })
            let slate = entries.indices.filter { chosen.contains(entries[$0].menu.id) }
            #expect(slate.count == 3)
            #expect(naive.isFair(slate, entries))
        }
    }

    @Test("where everybody weighs two, the menus are those of a group twice as large") func weights() throws {
        var cases = RandomCases(seed: 11)
        for _ in 0..<300 {
            let question = try RecommendationCase(json: cases.next(members: 1...4))
            let doubled = question.ballots.map { Ballot($0.sheet, weight: 2) }
            let twice = question.ballots.flatMap { [Ballot($0.sheet), Ballot($0.sheet)] }
            func menus(_ ballots: [Ballot]) -> [Int] {
                Recommendation(of: ballots, in: question.catalogue, seed: question.seed, avoiding: question.avoided).menus.map(\.menu)
            }
            #expect(menus(doubled) == menus(twice))
        }
    }
}

extension JSONValue {
    fileprivate func shufflingMenus(_ random: inout Generator) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                switch (member.name, member.value) {
                case ("menus", .array(let menus)): Member(member.name, .array(menus.shuffled(using: &random)))
                case ("catalogue", let catalogue): Member(member.name, catalogue.shufflingMenus(&random))
                default: member
                }
            })
    }
}
