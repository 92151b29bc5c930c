/// Answers as they came in: names not looked up yet, nothing bounded. `AnswerSheet(_:in:)` finds out what they mean.
public struct AnswerDraft: Hashable, Sendable {
    /// By the id of its card, in the order they were given in. Of two answers to one card the later counts.
    public var answers: [(card: String, answer: Answer)]
    /// Ids of vetoes, in any order.
    public var vetoes: [String]

    /// An answer is a word (`like`, `dislike`, `skip`) or a list of option ids, of which `none` stands for none of them. On a traits card
    /// `!` before an option says that it is not wanted; no id begins so.
    public enum Answer: Hashable, Sendable {
        case word(String)
        case list([String])
    }

    public init(answers: [(card: String, answer: Answer)] = [], vetoes: [String] = []) {
        self.answers = answers
        self.vetoes = vetoes
    }

    /// Tuples are not `Equatable`, so this is spelt out. Texts compare by canonical equivalence here, unlike ids.
    public static func == (a: AnswerDraft, b: AnswerDraft) -> Bool {
        a.vetoes == b.vetoes && a.answers.elementsEqual(b.answers) { $0.card == $1.card && $0.answer == $1.answer }
    }

    public func hash(into hasher: inout Hasher) {
        for (card, answer) in answers {
            hasher.combine(card)
            hasher.combine(answer)
        }
        hasher.combine(vetoes)
    }
}

/// One thing wrong with somebody's answers.
public struct AnswerFault: Hashable, Sendable {
    /// What is wrong. The unknown ones name something that the room's catalogue does not have.
    public enum Kind: Hashable, Sendable {
        case unknownCard, unknownOption, unknownVeto
        /// `none` beside other options.
        case noneNotAlone
        /// An option and the same with `!`.
        case wantedAndUnwanted
        /// A list where a word belongs.
        case listForTrait
        /// A word other than `skip` where a list belongs.
        case wordForList
    }

    public let kind: Kind
    /// The id of the card, as it was given; `nil` for a fault of the vetoes.
    public let card: String?
    /// The place in the card's list or in the vetoes, from 0; `nil` where the whole answer is at fault.
    public let position: Int?

    public init(_ kind: Kind, card: String? = nil, position: Int? = nil) {
        self.kind = kind
        self.card = card
        self.position = position
    }
}

extension AnswerFault {
    /// Where, as a JSON Pointer (RFC 6901) into the body that the answers came in.
    public var pointer: String {
        let place = card.map { MenuGame.pointer("/answers", $0) } ?? "/vetoes"
        return position.map { "\(place)/\($0)" } ?? place
    }
}

/// Everything wrong with somebody's answers, in their order; never empty.
public struct AnswerFaults: Error, Hashable, Sendable {
    /// The answers' first, then the vetoes'.
    public let faults: [AnswerFault]

    public init(faults: [AnswerFault]) { self.faults = faults }
}

extension AnswerSheet {
    /// The sheet that `draft` means in `catalogue`. Doubles within a list count once, and a later answer to a card replaces the earlier.
    ///
    /// - Throws: all its faults at once, in the order of the draft.
    public init(_ draft: AnswerDraft, in catalogue: Catalogue) throws(AnswerFaults) {
        var faults: [AnswerFault] = []
        var choices: [Choice?] = Array(repeating: nil, count: catalogue.cards.count)
        for (card, answer) in draft.answers {
            guard let index = catalogue.card(Identifier(card)) else {
                faults.append(AnswerFault(.unknownCard, card: card))
                continue
            }
            choices[index] = Self.choice(answer, on: catalogue.cards[index].kind, named: card, in: catalogue, &faults)
        }
        var vetoes = SmallSet()
        for (position, id) in draft.vetoes.enumerated() {
            if let veto = catalogue.veto(Identifier(id)) {
                vetoes.insert(veto)
            } else {
                faults.append(AnswerFault(.unknownVeto, position: position))
            }
        }
        guard faults.isEmpty else { throw AnswerFaults(faults: faults) }
        self.init(choices: choices, vetoes: vetoes)
    }

    private static func choice(
        _ answer: AnswerDraft.Answer, on card: Catalogue.Card.Kind, named name: String, in catalogue: Catalogue,
        _ faults: inout [AnswerFault]
    ) -> Choice? {
        switch (card, answer) {
        case (_, .word("skip")): return .skip
        case (.trait, .word("like")): return .like
        case (.trait, .word("dislike")): return .dislike
        case (.trait, .word): faults.append(AnswerFault(.unknownOption, card: name))
        case (.trait, .list): faults.append(AnswerFault(.listForTrait, card: name))
        case (_, .word): faults.append(AnswerFault(.wordForList, card: name))
        case (.traits, .list(["none"])): return Choice.none
        case (.traits(let traits, _), .list(let ids)):
            let options = options(ids, card: name, &faults, ofTraits: true) { id in
                catalogue.trait(id).flatMap { traits.contains($0) ? $0 : nil }
            }
            return options == .options(SmallSet(), unwanted: traits.reduce(into: SmallSet()) { $0.insert($1) }) ? Choice.none : options
        case (.cuisines, .list(let ids)):
            return options(ids, card: name, &faults, ofTraits: false) { catalogue.cuisine($0) }
        }
        return nil
    }

    private static func options(
        _ ids: [String], card: String, _ faults: inout [AnswerFault], ofTraits: Bool, _ find: (Identifier) -> Int?
    ) -> Choice {
        var (chosen, unwanted) = (SmallSet(), SmallSet())
        for (position, id) in ids.enumerated() {
            let isUnwanted = ofTraits && id.utf8.first == Self.not
            guard let index = find(Identifier(isUnwanted ? String(id.utf8.dropFirst()) ?? "" : id)) else {
                faults.append(AnswerFault(ofTraits && id == "none" ? .noneNotAlone : .unknownOption, card: card, position: position))
                continue
            }
            if (isUnwanted ? chosen : unwanted).contains(index) {
                faults.append(AnswerFault(.wantedAndUnwanted, card: card, position: position))
            }
            if isUnwanted { unwanted.insert(index) } else { chosen.insert(index) }
        }
        return .options(chosen, unwanted: unwanted)
    }

    /// What stands before an option that is not wanted.
    private static let not = UInt8(ascii: "!")

    /// The draft that means this sheet: what a store writes down and a client gets back.
    public func draft(in catalogue: Catalogue) -> AnswerDraft {
        var draft = AnswerDraft(vetoes: vetoes.map { catalogue.vetoes[$0].id.text })
        draft.answers.reserveCapacity(choices.count)
        for card in choices.indices {
            let answer: AnswerDraft.Answer
            switch (catalogue.cards[card].kind, choices[card]) {
            case (_, nil): continue
            case (_, .like?): answer = .word("like")
            case (_, .dislike?): answer = .word("dislike")
            case (_, .skip?): answer = .word("skip")
            case (_, Choice.none?): answer = .list(["none"])
            case (.cuisines, .options(let chosen, _)?): answer = .list(chosen.map { catalogue.cuisines[$0].id.text })
            case (_, .options(let chosen, let unwanted)?):
                answer = .list(chosen.map { catalogue.traits[$0].id.text } + unwanted.map { "!\(catalogue.traits[$0].id.text)" })
            }
            draft.answers.append((catalogue.cards[card].id.text, answer))
        }
        return draft
    }
}
