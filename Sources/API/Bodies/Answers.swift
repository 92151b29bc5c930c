import GameJSON
import JSON
import MenuGame

/// The answers in a body, names not looked up yet, and what is not of the right shape in them.
struct AnswersBody: Sendable {
    let draft: AnswerDraft
    let faults: [ShapeFault]

    init(_ json: JSONText) {
        var faults: [ShapeFault] = []
        draft = AnswerDraft(json: json, faults: &faults)
        self.faults = faults
    }

    /// The sheet that they are in `catalogue`.
    ///
    /// - Throws: all that is wrong with them at once, shapes and names alike.
    @Sendable func sheet(in catalogue: Catalogue) throws(Problem) -> AnswerSheet {
        try unless(faults) { () throws(AnswerFaults) in try AnswerSheet(draft, in: catalogue) }
    }
}

/// The changes in a body to answers that were given before, and what is not of the right shape in them.
struct AnswersPatchBody: Sendable {
    let patch: AnswerPatch
    let faults: [ShapeFault]

    init(_ json: JSONValue?) {
        var faults: [ShapeFault] = []
        patch = AnswerPatch(json: json ?? .object([]), faults: &faults)
        self.faults = faults
    }

    /// What becomes of `sheet`.
    ///
    /// - Throws: as `AnswersBody.sheet(in:)`.
    @Sendable func sheet(from sheet: AnswerSheet, in catalogue: Catalogue) throws(Problem) -> AnswerSheet {
        try unless(faults) { () throws(AnswerFaults) in try sheet.patched(by: patch, in: catalogue) }
    }
}

/// The sheet that `make` makes of what had the right shape, unless there is more to it.
private func unless(_ shapes: [ShapeFault], _ make: () throws(AnswerFaults) -> AnswerSheet) throws(Problem) -> AnswerSheet {
    do throws(AnswerFaults) {
        let sheet = try make()
        guard shapes.isEmpty else { throw AnswerFaults(faults: []) }
        return sheet
    } catch {
        guard !shapes.isEmpty else { throw Problem(error) }
        // What stands in for something unreadable is not to be blamed a second time.
        let names = error.faults.filter { name in !shapes.contains { $0.pointer == name.pointer } }
        throw Problem(.invalidBody, errors: shapes.map(Problem.Fault.init) + names.map(Problem.Fault.init))
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
