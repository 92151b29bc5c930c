import GameJSON
import JSON
import MenuGame

/// The answers in a body, names not looked up yet, and what is not of the right shape in them.
struct AnswersBody: Sendable {
    let draft: AnswerDraft
    let faults: [ShapeFault]

    init(_ json: JSONValue?) {
        var faults: [ShapeFault] = []
        draft = AnswerDraft(json: json ?? .object([]), faults: &faults)
        self.faults = faults
    }

    /// The sheet that they are in `catalogue`.
    ///
    /// - Throws: all that is wrong with them at once, shapes and names alike.
    @Sendable func sheet(in catalogue: Catalogue) throws(Problem) -> AnswerSheet {
        do throws(AnswerFaults) {
            let sheet = try AnswerSheet(draft, in: catalogue)
            guard faults.isEmpty else { throw AnswerFaults(faults: []) }
            return sheet
        } catch {
            guard !faults.isEmpty else { throw Problem(error) }
            // What stands in for something unreadable is not to be blamed a second time.
            let names = error.faults.filter { name in !faults.contains { $0.pointer == name.pointer } }
            throw Problem(.invalidBody, errors: faults.map(Problem.Fault.init) + names.map(Problem.Fault.init))
        }
    }
}

extension API {
    /// The nickname in a body; `nil` where none is given, `.some(nil)` to go without.
    func nickname(in json: JSONValue?) throws(Problem) -> Nickname?? {
        var reader = try BodyReader(json)
        let nickname = reader.nickname()
        try reader.finish()
        return nickname
    }
}
