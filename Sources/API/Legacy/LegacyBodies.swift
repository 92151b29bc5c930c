import JSON
import MenuGame

// What the shipped app decodes: these names, these types and no others. Addresses of pictures are absolute.

extension JSONWriter {
    /// A menu that was picked at random.
    mutating func legacyMenu(_ menu: Catalogue.Menu, in language: Language, at base: String) {
        object { writer in
            writer.member("name", menu.name[language])
            writer.member("imageURL", base + imageURL(of: menu.id))
        }
    }

    /// A result, of a group or of one.
    mutating func legacyResult(_ outcome: Outcome, in language: Language, at base: String) {
        object { writer in
            writer.member("menus", array: outcome.menus) { writer, menu in
                writer.object { writer in
                    writer.member("name", menu.name[language])
                    writer.member("imageURL", base + imageURL(of: menu.id))
                    writer.member("keywords", array: menu.keywords) { $0.string($1.label[language]) }
                }
            }
            writer.member("playerCount", outcome.playerCount)
        }
    }

    /// How far a room is, for somebody who waits in it.
    mutating func legacyWait(_ room: Room, isHost: Bool) {
        object { writer in
            writer.member("submissionCount", room.submissionCount)
            writer.member("isHost", isHost)
            writer.member("isGameClosed", room.phase != .open)
        }
    }
}
