public import JSON
public import MenuGame

extension JSONWriter {
    /// The recommendation as the vectors expect it, with the ids of the catalogue that it was made from. Labels and what was
    /// excluded are not in it.
    public mutating func recommendation(_ recommendation: Recommendation, in catalogue: Catalogue) {
        object { writer in
            writer.member("playerCount", recommendation.playerCount)
            writer.member("menus", array: recommendation.menus) { writer, pick in
                writer.object { writer in
                    writer.member("id", catalogue.menus[pick.menu].id.text)
                    writer.member("likedBy", pick.likedBy)
                    writer.member("keywords", array: pick.keywords) { writer, keyword in
                        writer.object { writer in
                            writer.member("trait", catalogue.traits[keyword.trait].id.text)
                            writer.member("side", keyword.side.rawValue)
                            writer.member("supporters", keyword.supporters)
                            writer.member("opposers", keyword.opposers)
                        }
                    }
                }
            }
        }
    }
}
