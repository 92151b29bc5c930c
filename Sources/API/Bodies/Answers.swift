import GameJSON
import JSON
import MenuGame

extension API {
    /// The answers in a body, names not looked up yet.
    func answers(in json: JSONValue?) throws(Problem) -> AnswerDraft {
        var reader = try BodyReader(json)
        var faults: [ShapeFault] = []
        let draft = AnswerDraft(json: reader.json, faults: &faults)
        for fault in faults { reader.fault(fault) }
        try reader.finish()
        return draft
    }

    /// The nickname in a body; `nil` where none is given, `.some(nil)` to go without.
    func nickname(in json: JSONValue?) throws(Problem) -> Nickname?? {
        var reader = try BodyReader(json)
        let nickname = reader.nickname()
        try reader.finish()
        return nickname
    }
}
