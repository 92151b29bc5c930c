import GameJSON
import JSON
import MenuGame

/// The answers as the shipped app sends them: a truth value or `null` for each card, and names of its own for what we call otherwise.
struct LegacyAnswers: Sendable {
    private var draft = AnswerDraft()
    /// What was answered to the card that the app asks in three questions.
    private var staple: [String] = []
    private let faults: [Problem.Fault]

    /// Cards that are one question in the app, too, of the same name.
    private static let traits = ["hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich"]
    private static let staples = ["rice", "noodle", "soup"]
    // Looked up as bytes: to a `String` the Kelvin sign is a K.
    private static let cuisines: [Identifier: String] = [
        Identifier("KOREAN"): "korean", Identifier("WESTERN"): "western", Identifier("JAPANESE"): "japanese",
        Identifier("CHINESE"): "chinese", Identifier("CONVENIENT"): "snack", Identifier("EXOTIC"): "exotic", Identifier("ETC"): "other",
    ]
    private static let vetoes: [Identifier: String] = [
        Identifier("SPICY"): "spicy", Identifier("INTESTINE"): "intestine", Identifier("SASHIMI"): "sashimi",
        Identifier("SEAFOOD"): "seafood", Identifier("MEAT"): "meat",
    ]

    /// Reads `gameAnswer`, `dislikedFoods` and `pinNumber`. What is wrong with them is told by `sheet(in:)`.
    ///
    /// - Parameter pin: of the room that they are for; `nil` for a game alone.
    init(_ reader: BodyReader, for pin: PIN?) {
        var reader = reader
        var options: [String] = []
        let answers = reader.json["gameAnswer"] ?? .null
        if answers.object == nil { reader.fault(ShapeFault("/gameAnswer", .object)) }
        for name in Self.traits {
            if let truth = reader.truth(answers[name], "/gameAnswer/\(name)") {
                draft.answers.append((name, .word(truth ? "like" : "dislike")))
            }
        }
        for name in Self.staples {
            guard let truth = reader.truth(answers[name], "/gameAnswer/\(name)") else { continue }
            staple.append(name)
            options.append(truth ? name : "!\(name)")
        }
        if !options.isEmpty { draft.answers.append(("staple", .list(options))) }
        let cuisines = reader.ids(answers["nation"], "/gameAnswer/nation", Self.cuisines)
        if !cuisines.isEmpty { draft.answers.append(("cuisine", .list(cuisines))) }
        draft.vetoes = reader.ids(reader.json["dislikedFoods"], "/dislikedFoods", Self.vetoes)
        reader.check(reader.json["pinNumber"] ?? .null, against: pin)
        faults = reader.faults
    }

    /// The sheet that they are in `catalogue`.
    ///
    /// - Throws: all that is wrong with them at once, where it stands in the app's own body.
    @Sendable func sheet(in catalogue: Catalogue) throws(Problem) -> AnswerSheet {
        var unknown: [AnswerFault] = []
        do throws(AnswerFaults) {
            let sheet = try AnswerSheet(draft, in: catalogue)
            if faults.isEmpty { return sheet }
        } catch {
            unknown = error.faults
        }
        let code = faults.isEmpty ? Problem(AnswerFaults(faults: unknown)).code : .invalidBody
        // What stands in for something unreadable is not to be blamed a second time.
        let names = unknown.map { Problem.Fault(pointer: pointer(to: $0), detail: Problem.Fault($0).detail) }
            .filter { name in !faults.contains { $0.pointer == name.pointer } }
        throw Problem(code, errors: faults + names)
    }

    private func pointer(to fault: AnswerFault) -> String {
        switch (fault.card, fault.position) {
        case ("staple"?, let position):
            // Without a place it is the card itself that is not there, and the first answer to it is named.
            return "/gameAnswer/" + (staple.dropFirst(position ?? 0).first ?? Self.staples[0])
        case (nil, let position): return "/dislikedFoods" + (position.map { "/\($0)" } ?? "")
        case ("cuisine"?, let position): return "/gameAnswer/nation" + (position.map { "/\($0)" } ?? "")
        case (let card?, _): return "/gameAnswer/\(card)"
        }
    }
}

extension BodyReader {
    /// A truth value; `nil` where there is none or `null`.
    fileprivate mutating func truth(_ value: JSONValue?, _ pointer: String) -> Bool? {
        guard let value, !value.isNull else { return nil }
        if value.bool == nil { fault(ShapeFault(pointer, .boolean)) }
        return value.bool
    }

    /// What we call the names in a list; an empty name, which nothing has, for those that are none. `null` is like an empty list.
    fileprivate mutating func ids(_ value: JSONValue?, _ pointer: String, _ ids: [Identifier: String]) -> [String] {
        guard let value, !value.isNull else { return [] }
        guard let elements = value.array else {
            fault(ShapeFault(pointer, .array))
            return []
        }
        if elements.count > Limits.listLength { fault(ShapeFault(pointer, .fewer)) }
        var found: [String] = []
        for (position, element) in elements.prefix(Limits.listLength).enumerated() {
            if element.string == nil { fault(ShapeFault("\(pointer)/\(position)", .string)) }
            found.append(element.string.flatMap { ids[Identifier($0)] } ?? "")
        }
        return found
    }

    /// A PIN in the body says nothing new, but may not contradict that of the path: nobody could say which room is meant.
    fileprivate mutating func check(_ value: JSONValue, against pin: PIN?) {
        switch (value, pin) {
        case (.null, _): return
        case (.string(let text), let pin?) where text.utf8.elementsEqual(pin.text.utf8): return
        case (.integer(let number), let pin?) where number == pin.number: return
        case (.string, _?), (.integer, _?): fault("/pinNumber", ko: "주소에 있는 PIN과 다릅니다", en: "is not the PIN that the path has")
        case (.string, nil), (.integer, nil): fault("/pinNumber", ko: "혼자 하는 게임에는 방이 없습니다", en: "a game alone has no room")
        default: fault(ShapeFault("/pinNumber", .integer))
        }
    }
}
