/// Changes to somebody's answers in the manner of a JSON Merge Patch (RFC 7396), names not looked up yet: what it does not mention stays.
public struct AnswerPatch: Hashable, Sendable {
    /// Answers to put in place of the former ones. Vetoes of it count only if `replacesVetoes`.
    public var replacements: AnswerDraft
    /// Cards whose answers are taken back.
    public var removedCards: [String]
    /// Whether all former answers are taken back first.
    public var removesAnswers: Bool
    /// Whether the vetoes of `replacements` take the place of the former ones.
    public var replacesVetoes: Bool

    public init(
        replacements: AnswerDraft = AnswerDraft(), removedCards: [String] = [], removesAnswers: Bool = false, replacesVetoes: Bool = false
    ) {
        self.replacements = replacements
        self.removedCards = removedCards
        self.removesAnswers = removesAnswers
        self.replacesVetoes = replacesVetoes
    }
}

extension AnswerSheet {
    /// This sheet with the changes that `patch` makes to it.
    ///
    /// - Throws: all faults of the patch at once. A card that is to be taken back has to exist too: a slip of the pen is not passed over.
    public func patched(by patch: AnswerPatch, in catalogue: Catalogue) throws(AnswerFaults) -> AnswerSheet {
        let unknown = patch.removedCards.filter { catalogue.card(Identifier($0)) == nil }
            .map { AnswerFault(.unknownCard, card: $0) }
        let new: AnswerSheet
        do throws(AnswerFaults) { new = try AnswerSheet(patch.replacements, in: catalogue) } catch {
            throw AnswerFaults(faults: unknown + error.faults)
        }
        guard unknown.isEmpty else { throw AnswerFaults(faults: unknown) }
        let removed = Set(patch.removedCards.compactMap { catalogue.card(Identifier($0)) })
        let choices = zip(choices, new.choices).enumerated().map { card, choices in
            choices.1 ?? (patch.removesAnswers || removed.contains(card) ? nil : choices.0)
        }
        return AnswerSheet(choices: choices, vetoes: patch.replacesVetoes ? new.vetoes : vetoes)
    }
}
