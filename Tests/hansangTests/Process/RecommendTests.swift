import Foundation
import JSON
import TestSupport
import Testing

@Suite("hansang recommend", .serialized, .timeLimit(.minutes(2)))
struct RecommendTests {
    /// The vectors of the rule: cases with their right answers.
    private static func golden() throws -> JSONValue {
        try JSONValue(parsing: Data(contentsOf: projectFolder.appendingPathComponent("Tests/MenuGameTests/Fixtures/golden.json")))
    }

    /// A vector's case as the program reads it: with its catalogue in it.
    private static func question(_ vector: JSONValue, _ catalogues: JSONValue) throws -> [UInt8] {
        let members = try #require(vector.object)
        var writer = JSONWriter()
        try writer.object { writer in
            for member in members where member.name != "expected" {
                writer.name(text: member.name)
                writer.value(member.name == "catalogue" ? try #require(catalogues[member.value.string ?? ""]) : member.value)
            }
        }
        return writer.bytes
    }

    @Test("Prints for a case what its vector expects")
    func vectors() async throws {
        let golden = try Self.golden()
        let cases = try #require(golden["cases"]?.array)
        let catalogues = try #require(golden["catalogues"])
        // Every tenth is enough: the rule itself has been held against all of them.
        for number in stride(from: 0, to: cases.count, by: 10) {
            let remains = try await Program.run(["recommend"], input: Self.question(cases[number], catalogues))
            #expect(remains.ending == .exit(0))
            #expect(remains.errors.isEmpty)
            #expect(remains.output.last == UInt8(ascii: "\n"))
            #expect(try Set([JSONValue(parsing: remains.output)]) == Set([#require(cases[number]["expected"])]))
        }
    }

    @Test(
        "A case that is not right is named on standard error, with status 65",
        arguments: [
            "", "{", "null", "[]", "{}", #"{"catalogue":{},"submissions":[],"seed":"a"}"#, #"{"catalogue":7}"#,
            "\u{FEFF}{}", String(repeating: "[", count: 100_000),
        ])
    func badInput(text: String) async throws {
        let remains = try await Program.run(["recommend"], input: Array(text.utf8))
        #expect(remains.ending == .exit(65))
        #expect(remains.output.isEmpty)
        #expect(remains.errors.hasPrefix("hansang: recommend: "))
    }

    @Test("An unknown answer, veto or menu in a case is named")
    func unknownNames() async throws {
        let golden = try Self.golden()
        let catalogues = try #require(golden["catalogues"])
        let vector = try #require(golden["cases"]?.array?.first)
        let question = String(decoding: try Self.question(vector, catalogues), as: UTF8.self)
        for (submissions, name) in [
            (#"[{"member":"a","answers":{"colour":"like"},"vetoes":[]}]"#, "colour"),
            (#"[{"member":"a","answers":{},"vetoes":["gluten"]}]"#, "/submissions/0/vetoes/0"),
        ] {
            let bad = question.replacing(#""submissions":[]"#, with: #""submissions":"# + submissions)
            #expect(bad != question)
            let remains = try await Program.run(["recommend"], input: Array(bad.utf8))
            #expect(remains.ending == .exit(65))
            #expect(remains.output.isEmpty)
            #expect(remains.errors.contains(name))
        }
    }
}

extension JSONWriter {
    /// Writes any value.
    fileprivate mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let truth): bool(truth)
        case .integer(let number): integer(number)
        case .real(let number): Issue.record("a real: \(number)")
        case .string(let text): string(text)
        case .array(let elements): array(elements) { writer, element in writer.value(element) }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(text: member.name)
                    writer.value(member.value)
                }
            }
        }
    }
}
