import JSON
import MenuGame

/// SplitMix64: small, and the same numbers everywhere.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
    mutating func percent(_ chance: Int) -> Bool { number(1...100) <= chance }
    mutating func some<T>(of all: [T], percent chance: Int) -> [T] { all.filter { _ in percent(chance) } }
}

/// Random cases in the format of `RecommendationCase`, of all the kinds that tell mistakes in the rule apart: sparse and dense menus,
/// like-minded and divided groups, weights, menus to avoid, unknown contents and cuisines.
struct RandomCases {
    private var random: Generator

    init(seed: UInt64) { random = Generator(seed: seed) }

    mutating func next(menus: ClosedRange<Int> = 1...9, members: ClosedRange<Int> = 0...9) -> JSONValue {
        let traits = (0..<random.number(2...7)).map { "t\($0)" }
        let vetoes = ["nuts", "fish", "veto"]
        let cuisines = (0..<random.number(1...3)).map { "c\($0)" }
        // The first traits share one card, if it is more than one.
        let shared = random.number(0...3)
        // With one trait a menu, groups fall into camps: that is where fairness and ties are decided.
        let density = [0, 0, 25, 50, 90][random.number(0...4)]
        let menus = shuffled((0..<random.number(menus)).map { menu("m\($0)", traits, vetoes, cuisines, density: density) })
        // Where groups lean one way there are majorities.
        let lean = [50, 65, 90][random.number(0...2)]
        let silence = [0, 20, 60, 80][random.number(0...3)]
        let vetoing = random.percent(40) ? 15 : 0
        let names = (0..<random.number(members)).map { "p\($0)" }
        var submissions: [JSONValue] = []
        for name in names + random.some(of: names, percent: 10) {
            submissions.append(
                .object([
                    .init("member", .string(name)),
                    .init("answers", .object(answers(traits, shared: shared, cuisines, lean: lean, silence: silence))),
                    .init("vetoes", strings(random.some(of: vetoes, percent: vetoing))),
                ]))
        }
        let weights = random.percent(50) ? random.some(of: names + ["gone"], percent: 60) : []
        let avoided = random.percent(30) ? random.some(of: (0..<9).map { "m\($0)" } + ["unknown"], percent: 40) : []
        return .object([
            .init("catalogue", catalogue(traits, vetoes, cuisines, shared: shared, menus)),
            .init("submissions", .array(submissions)),
            .init("seed", .string("room-\(random.number(0...999))")),
            .init("weights", .object(weights.map { .init($0, .integer(Int64(random.number(1...4)))) })),
            .init("avoid", strings(avoided)),
        ])
    }

    private mutating func shuffled(_ values: [JSONValue]) -> [JSONValue] { values.shuffled(using: &random) }

    private func catalogue(
        _ traits: [String], _ vetoes: [String], _ cuisines: [String], shared: Int, _ menus: [JSONValue]
    ) -> JSONValue {
        var cards: [JSONValue] = traits.dropFirst(shared).map { trait in
            .object([.init("id", .string(trait)), .init("kind", .string("trait")), .init("trait", .string(trait))])
        }
        cards.append(
            .object([
                .init("id", .string("shared")), .init("kind", .string("traits")),
                .init("options", strings(Array(traits.prefix(shared)))),
            ]))
        cards.append(.object([.init("id", .string("cuisine")), .init("kind", .string("cuisines"))]))
        return .object([
            .init("traits", strings(traits)), .init("vetoes", strings(vetoes)), .init("cuisines", strings(cuisines)),
            .init("cards", .array(cards)), .init("menus", .array(menus)),
        ])
    }

    private mutating func menu(
        _ id: String, _ traits: [String], _ vetoes: [String], _ cuisines: [String], density: Int
    ) -> JSONValue {
        var values = random.some(of: traits, percent: density).map { trait in
            JSONValue.Member(trait, .integer(Int64(random.number(-2...2))))
        }
        if density == 0 { values = [.init(traits[random.number(0...traits.count - 1)], .integer(Int64(random.number(1...2))))] }
        return .object([
            .init("id", .string(id)), .init("traits", .object(values)), .init("cuisines", strings(random.some(of: cuisines, percent: 40))),
            .init("contains", random.percent(10) ? .null : strings(random.some(of: vetoes, percent: 20))),
        ])
    }

    private mutating func answers(
        _ traits: [String], shared: Int, _ cuisines: [String], lean: Int, silence: Int
    ) -> [JSONValue.Member] {
        var answers: [JSONValue.Member] = []
        for trait in traits.dropFirst(shared) where !random.percent(silence) {
            answers.append(.init(trait, .string(random.percent(lean) ? "like" : random.percent(80) ? "dislike" : "skip")))
        }
        if !random.percent(silence) {
            let chosen = random.some(of: Array(traits.prefix(shared)), percent: lean)
            answers.append(.init("shared", strings(random.percent(20) ? ["none"] : chosen)))
        }
        if random.percent(50) { answers.append(.init("cuisine", strings(random.some(of: cuisines, percent: 50)))) }
        return answers
    }
}

func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
