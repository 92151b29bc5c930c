import JSON
import MenuGame

extension JSONWriter {
    /// `Result` of a room's round. Everything in it is frozen, so the same round gives the same bytes in a language.
    mutating func result(_ result: RoundResult, pin: PIN, in language: Language) {
        object { writer in
            writer.member("pin", pin.text)
            writer.member("round", result.round)
            writer.member("sequence", result.sequence)
            writer.members(of: result.outcome, at: result.revealedAt, in: language)
        }
    }

    /// `Result` of a solo game.
    mutating func result(_ outcome: Outcome, at now: Instant, in language: Language) {
        object { $0.members(of: outcome, at: now, in: language) }
    }

    private mutating func members(of outcome: Outcome, at now: Instant, in language: Language) {
        member("playerCount", outcome.playerCount)
        member("revealedAt", now.milliseconds)
        member("menus", array: outcome.menus.enumerated()) { writer, entry in
            let (index, menu) = entry
            writer.object { writer in
                writer.member("rank", index + 1)
                writer.member("id", menu.id.text)
                writer.member("name", menu.name[language])
                writer.member("imageURL", imageURL(of: menu.id))
                writer.member("likedBy", menu.likedBy)
                writer.member("keywords", array: menu.keywords) { writer, keyword in
                    writer.object { writer in
                        writer.member("id", keyword.trait.text)
                        writer.member("side", keyword.side.rawValue)
                        writer.member("label", keyword.label[language])
                        writer.member("supporters", keyword.supporters)
                        writer.member("opposers", keyword.opposers)
                    }
                }
            }
        }
        member(
            "excluded",
            object: { writer in
                writer.member("menus", outcome.excludedMenus)
                if let vetoes = outcome.excludedBy { writer.member("vetoes", array: vetoes) { $0.string($1.text) } }
            })
        member("reason", outcome.vetoesLeftFewer ? "vetoes-left-fewer" : nil)
        member("seed", outcome.seed)
    }
}
