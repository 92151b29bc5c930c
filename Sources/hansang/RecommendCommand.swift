import GameJSON

/// `hansang recommend < case.json`: one case of the rule in, its answer out.
enum RecommendCommand {
    static let command = Command(
        name: "recommend", summary: "applies the rule to one case on standard input",
        help: """
            Usage: hansang recommend < case.json

            The case: {"catalogue": {…}, "submissions": [{"member", "answers", "vetoes"}], "seed": "…",
                       "weights": {member: 1…4}?, "avoid": [menu]?, "menus": [menu]?}
            Prints the recommendation as JSON. A case that is not right is named on standard error: exit status 65.

            """
    ) { arguments in
        guard arguments.isEmpty else { Output.fail("recommend reads standard input and takes no arguments", .usage) }
        guard let bytes = FileDescriptor.standardInput.readAll(limit: inputLimit) else {
            Output.fail("recommend: standard input cannot be read, or is longer than \(inputLimit) bytes", .badInput)
        }
        do throws(CaseFault) { Output.print(try recommend(bytes) + [UInt8(ascii: "\n")]) } catch {
            Output.fail("recommend: \(error)", .badInput)
        }
    }

    /// Bytes that a case may have.
    private static let inputLimit = 64 << 20
}
