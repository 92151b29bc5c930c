import GameJSON
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("A patch of somebody's answers")
struct AnswerPatchTests {
    private let catalogue: Catalogue
    private let former: AnswerSheet

    init() throws {
        catalogue = try Catalogues.shipped()
        former = try AnswerSheet(
            AnswerDraft(
                answers: [("hangover", .word("like")), ("spicy", .word("dislike")), ("staple", .list(["rice", "soup"]))],
                vetoes: ["seafood"]), in: catalogue)
    }

    /// RFC 7396 §2, word for word: what our own way has to agree with.
    private func merged(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
        guard let members = patch.object else { return patch }
        var result = target?.object ?? []
        for member in members {
            let former = result.first { $0.name == member.name }
            result.removeAll { $0.name == member.name }
            if !member.value.isNull { result.append(JSONValue.Member(member.name, merged(former?.value, member.value))) }
        }
        return .object(result)
    }

    private func json(_ sheet: AnswerSheet) throws -> JSONValue {
        var writer = JSONWriter()
        writer.object { $0.members(of: sheet.draft(in: catalogue)) }
        return try JSONValue(parsing: writer.bytes)
    }

    private func sheet(_ json: JSONValue) throws -> AnswerSheet {
        var faults: [ShapeFault] = []
        let draft = AnswerDraft(json: json, faults: &faults)
        #expect(faults.isEmpty)
        return try AnswerSheet(draft, in: catalogue)
    }

    @Test(
        "does what RFC 7396 says",
        arguments: [
            "{}", #"{"answers":{}}"#, #"{"answers":{"hangover":"dislike"}}"#, #"{"answers":{"hangover":null}}"#,
            #"{"answers":{"health":null}}"#, #"{"answers":{"staple":["noodle"],"rich":"like","spicy":null}}"#,
            #"{"answers":{"staple":[]}}"#, #"{"answers":{"staple":["none"]}}"#, #"{"answers":{"cuisine":["korean"]}}"#,
            #"{"answers":null}"#, #"{"vetoes":null}"#, #"{"vetoes":[]}"#, #"{"vetoes":["meat"]}"#,
            #"{"answers":{"spicy":"skip"},"vetoes":["meat","seafood"],"other":{"x":null}}"#, #"{"answers":null,"vetoes":null}"#,
        ])
    func agrees(text: String) throws {
        let patch = try JSONValue(parsing: Array(text.utf8))
        var faults: [ShapeFault] = []
        let read = AnswerPatch(json: patch, faults: &faults)
        #expect(faults.isEmpty)
        #expect(try former.patched(by: read, in: catalogue) == sheet(merged(json(former), patch)))
    }

    @Test("is told all that is wrong with it at once, also with what it takes back")
    func faults() throws {
        let patch = AnswerPatch(
            replacements: AnswerDraft(answers: [("hangover", .word("often"))], vetoes: ["x"]),
            removedCards: ["card-that-is-none", "spicy"],
            replacesVetoes: true)
        let error = #expect(throws: AnswerFaults.self) { try former.patched(by: patch, in: catalogue) }
        #expect(error?.faults.map(\.pointer) == ["/answers/card-that-is-none", "/answers/hangover", "/vetoes/0"])
    }

    @Test(
        "of another shape is no patch",
        arguments: [
            ("[]", [""]), (#"{"answers":[]}"#, ["/answers"]), (#"{"answers":{"spicy":5}}"#, ["/answers/spicy"]),
            (#"{"vetoes":"meat"}"#, ["/vetoes"]), (#"{"answers":{"staple":[null]},"vetoes":[1]}"#, ["/answers/staple/0", "/vetoes/0"]),
        ])
    func shapes(text: String, pointers: [String]) throws {
        var faults: [ShapeFault] = []
        _ = AnswerPatch(json: try JSONValue(parsing: Array(text.utf8)), faults: &faults)
        #expect(faults.map(\.pointer) == pointers)
    }
}
