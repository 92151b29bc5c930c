import Foundation
import GameJSON
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("A catalogue")
struct CatalogueTests {
    @Test("The one that is shipped can be played")
    func shipped() throws {
        let catalogue = try Catalogues.shipped()
        #expect(catalogue.menus.count >= 220)
        #expect(catalogue.cards.map(\.id.text).last == "cuisine")
        let vetoes = SmallSet.all(below: catalogue.vetoes.count)
        #expect(catalogue.menus.count { !$0.isExcluded(by: vetoes) } >= 20)
        let spicy = try #require(catalogue.veto(Identifier("spicy")))
        let trait = try #require(catalogue.traits.firstIndex { $0.id == Identifier("spicy") })
        for menu in catalogue.menus where menu.contains != nil {
            #expect((menu.values[trait] > 0) == (menu.contains?.contains(spicy) == true), "\(menu.id)")
        }
    }

    @Test("The one that is shipped leaves enough under every combination of vetoes, of every kind of dish")
    func shippedVariety() throws {
        let catalogue = try Catalogues.shipped()
        func left(_ vetoes: UInt64) -> [Catalogue.Menu] {
            catalogue.menus.filter { $0.contains.map { $0.bits & vetoes == 0 } ?? false }
        }
        for vetoes in 0..<(UInt64(1) << UInt64(catalogue.vetoes.count)) {
            let atLeast = vetoes.nonzeroBitCount <= 2 ? 40 : vetoes.nonzeroBitCount <= 4 ? 25 : 20
            #expect(left(vetoes).count >= atLeast)
        }
        let free = left(SmallSet.all(below: catalogue.vetoes.count).bits)
        for (index, trait) in catalogue.traits.enumerated() {
            if ["rice", "noodle", "soup"].contains(trait.id.text) { #expect(free.count { $0.values[index] > 0 } >= 3) }
            #expect(catalogue.menus.count { $0.values[index] > 0 } >= 15)
            #expect(catalogue.menus.count { $0.values[index] < 0 } >= 15)
        }
        #expect(Set(free.flatMap(\.cuisines)).count >= 4)
        let unknown = catalogue.menus.map { $0.values.count { $0 == 0 } }.reduce(0, +)
        #expect(unknown * 100 <= 8 * catalogue.menus.count * catalogue.traits.count)
    }

    @Test("Every fault is named at once, with its place")
    func faults() throws {
        let text = """
            {"version": 2,
             "traits": [{"id": "soup", "has": {"ko": "국물", "en": "soup"}, "lacks": {"ko": "", "en": "no soup"}},
                        {"id": "Rice!", "has": {"ko": "밥", "en": "rice"}, "lacks": {"ko": "밥 말고", "en": "no rice"}}],
             "vetoes": [{"id": "meat", "label": {"ko": "고기", "en": "Meat"}, "hint": {"ko": "소"}}],
             "cuisines": [{"id": "korean", "label": {"ko": "한식", "en": "Korean"}}, {"id": "korean", "label": {"ko": "한식", "en": "Korean"}}],
             "cards": [{"id": "soup", "kind": "trait", "trait": "noodle", "prompt": {"ko": "?", "en": "?"}}, {"id": "x", "kind": "quiz"}],
             "menus": [{"id": "a", "name": {"ko": "가", "en": "A"}, "emoji": "🍲", "search": {"ko": "가"}, "traits": {"soup": 3, "salt": 1, "Rice!": "1"},
                        "cuisines": ["martian"], "contains": ["fish", "meat"]},
                       {"id": "b", "name": {"ko": "가", "en": "B"}, "emoji": "", "search": {"ko": " "}, "traits": {}, "cuisines": []}]}
            """
        let expected = [
            "/version", "/vetoes/0/hint/en", "/cards/1/kind", "/menus/0/traits/Rice!", "/menus/1/contains", "/traits/1/id",
            "/cuisines/1/id",
            "/traits/0/lacks/ko", "/cards/1/prompt/ko", "/cards/1/prompt/en", "/cards/0/trait", "/traits/0", "/traits/1", "/cards",
            "/menus/0/traits/soup", "/menus/0/traits/salt",
            "/menus/0/cuisines/0", "/menus/0/contains/0", "/menus/1/emoji", "/menus/1/search/ko", "/menus/1/name/ko", "/menus",
        ]
        let error = #expect(throws: CatalogueFaults.self) { try Catalogues.read(Array(text.utf8), "f") }
        #expect(Set(error?.faults.map(\.pointer) ?? []) == Set(expected))
        #expect(error?.faults.count == expected.count)
    }

    @Test(
        "One that is no object, or has the wrong shape throughout, is refused and nothing traps",
        arguments: [
            "null", "[]", "{}",
            #"{"version":1,"traits":1,"vetoes":{},"cuisines":[1],"cards":[[]],"menus":[{"contains":5,"traits":[],"cuisines":{}}]}"#,
        ])
    func shapes(text: String) {
        #expect(throws: CatalogueFaults.self) { try Catalogues.read(Array(text.utf8), "f") }
    }

    @Test("What leaves fewer than three menus when everything is vetoed cannot be played", arguments: 0...4)
    func leftovers(free: Int) throws {
        var writer = JSONWriter()
        let label = JSONValue.object([.init("ko", .string("가")), .init("en", .string("a"))])
        writer.object { writer in
            writer.member("version", 1)
            writer.member("traits", .array([]))
            writer.member("vetoes", .array([.object([.init("id", .string("meat")), .init("label", label), .init("hint", label)])]))
            writer.member("cuisines", .array([]))
            writer.member(
                "cards", .array([.object([.init("id", .string("c")), .init("kind", .string("cuisines")), .init("prompt", label)])]))
            writer.member("menus", array: 0..<6) { writer, number in
                writer.object { writer in
                    writer.member("id", "m\(number)")
                    writer.member("name", .object([.init("ko", .string("가\(number)")), .init("en", .string("a\(number)"))]))
                    writer.member("emoji", "🍲")
                    writer.member("search", .object([.init("ko", .string("가"))]))
                    writer.member("traits", .object([]))
                    writer.member("cuisines", .array([]))
                    // Unknown contents are ruled out by any veto.
                    writer.member("contains", number < free ? .array([]) : number == 5 ? .null : .array([.string("meat")]))
                }
            }
        }
        if free >= 3 {
            _ = try Catalogues.read(writer.bytes, "f")
        } else {
            let error = #expect(throws: CatalogueFaults.self) { try Catalogues.read(writer.bytes, "f") }
            #expect(error?.faults.map(\.pointer) == ["/menus"])
        }
    }

    @Test("No menu is called what a random one is asked for by")
    func reservedID() throws {
        let text = String(decoding: try Catalogues.shippedBytes(), as: UTF8.self)
        let renamed = text.replacingOccurrences(of: #""id": "bibimbap""#, with: #""id": "random""#)
        #expect(renamed != text)
        let error = #expect(throws: CatalogueFaults.self) { try Catalogues.read(Array(renamed.utf8), "f") }
        #expect(error?.faults.count == 1)
        #expect(error?.faults.first?.pointer.hasSuffix("/id") == true)
    }

    @Test("Too many of anything is refused before it can overflow a set")
    func tooMany() {
        var writer = JSONWriter()
        writer.object { writer in
            for (kind, count) in [("traits", 12), ("vetoes", 65), ("cuisines", 65)] {
                writer.name(text: kind)
                writer.array(0..<count) { $0.string("\(kind)-\($1)") }
            }
            writer.member("cards", .array([.object([.init("id", .string("c")), .init("kind", .string("cuisines"))])]))
            writer.member("menus", array: 0..<1) { writer, _ in
                writer.object { writer in
                    writer.member("id", "m")
                    writer.member("traits", .object([]))
                    writer.member("cuisines", array: 0..<65) { $0.string("cuisines-\($1)") }
                    writer.member("contains", array: 0..<65) { $0.string("vetoes-\($1)") }
                }
            }
        }
        let bytes = writer.bytes
        let error = #expect(throws: CatalogueFaults.self) {
            try Catalogue(json: JSONValue(parsing: bytes), fingerprint: "", for: .rule)
        }
        for place in ["/traits", "/vetoes", "/cuisines"] { #expect(error?.faults.map(\.pointer).contains(place) == true) }
    }
}
