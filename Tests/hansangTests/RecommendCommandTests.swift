import Foundation
import Testing

@testable import hansang

@Suite("hansang recommend")
struct RecommendCommandTests {
    @Test("answers a case with one line") func answer() throws {
        let catalogue = #"{"traits":[],"vetoes":[],"cuisines":[],"cards":[{"id":"c","kind":"cuisines"}],"menus":[]}"#
        let result = try run(#"{"catalogue":\#(catalogue),"submissions":[],"seed":""}"#)
        #expect(result == Result(status: 0, output: #"{"playerCount":0,"menus":[]}"# + "\n", errors: ""))
    }

    @Test("refuses a bad case with status 65 and one line that says where") func refusal() throws {
        let result = try run(#"{"catalogue":{"a\nb":1},"submissions":[],"seed":""}"#)
        #expect(result == Result(status: 65, output: "", errors: "hansang recommend: /catalogue/traits is not an array\n"))
        #expect(try run("").status == 65)
    }

    @Test("never lets a name out of the case break its line") func oneLine() throws {
        let catalogue = #"{"traits":[],"vetoes":[],"cuisines":[],"cards":[{"id":"c","kind":"cuisines"}],"menus":[]}"#
        let result = try run(#"{"catalogue":\#(catalogue),"submissions":[],"seed":"","weights":{"a\n\u001b[2J":9}}"#)
        #expect(result.errors == "hansang recommend: /weights/a\u{FFFD}\u{FFFD}[2J is not an integer from 1 to 4\n")
    }

    private struct Result: Equatable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// All of it fits into the pipes, so nobody needs to read meanwhile.
    private func run(_ json: String) throws -> Result {
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        try input.fileHandleForWriting.write(contentsOf: Data(json.utf8))
        try input.fileHandleForWriting.close()
        let status = RecommendCommand.run(
            input: input.fileHandleForReading, output: output.fileHandleForWriting, errors: errors.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        func text(_ pipe: Pipe) throws -> String { String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self) }
        return Result(status: status, output: try text(output), errors: try text(errors))
    }
}
