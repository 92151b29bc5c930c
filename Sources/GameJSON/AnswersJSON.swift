public import JSON
public import MenuGame

/// One value of a JSON text that is not of the shape it has to have.
public struct ShapeFault: Hashable, Sendable {
    /// Where, as a JSON Pointer (RFC 6901) into the text; empty for the whole of it.
    public let pointer: String
    /// What has to stand there.
    public let expected: Expected

    /// The shapes that our bodies are made of.
    public enum Expected: String, Hashable, Sendable {
        case object, array, string, integer, boolean
        case stringOrArrayOfStrings
        /// Fewer elements: no list of ours may be that long.
        case fewer
    }

    public init(_ pointer: String, _ expected: Expected) {
        self.pointer = pointer
        self.expected = expected
    }
}

extension AnswerDraft {
    /// The answers in `{"answers": {card: "like" | "dislike" | "skip" | [option]}, "vetoes": [veto]}`; both may be missing.
    ///
    /// What is not of that shape is named in `faults` and left out, or within a list stands as an empty name, so that what is behind it
    /// keeps its place. So is what goes beyond `Limits.listLength`. Other members are ignored.
    public init(json: some JSONReadable, faults: inout [ShapeFault]) {
        self.init()
        guard json.memberCount != nil else {
            faults.append(ShapeFault("", .object))
            return
        }
        if let answers = json["answers"] {
            if answers.memberCount == nil { faults.append(ShapeFault("/answers", .object)) }
            let count = answers.memberCount ?? 0
            if count > Limits.listLength { faults.append(ShapeFault("/answers", .fewer)) }
            self.answers.reserveCapacity(min(count, Limits.listLength))
            answers.forEachMember(upTo: Limits.listLength) { card, answer in
                if let word = answer.string {
                    self.answers.append((card, .word(word)))
                } else if answer.elementCount != nil {
                    self.answers.append((card, .list(Self.strings(answer, at: pointer("/answers", card), &faults))))
                } else {
                    faults.append(ShapeFault(pointer("/answers", card), .stringOrArrayOfStrings))
                }
            }
        }
        if let vetoes = json["vetoes"] {
            if vetoes.elementCount == nil { faults.append(ShapeFault("/vetoes", .array)) }
            self.vetoes = Self.strings(vetoes, at: "/vetoes", &faults)
        }
    }

    /// The strings of an array; of another value none.
    private static func strings(_ array: some JSONReadable, at place: @autoclosure () -> String, _ faults: inout [ShapeFault]) -> [String] {
        let count = array.elementCount ?? 0
        if count > Limits.listLength { faults.append(ShapeFault(place(), .fewer)) }
        var strings: [String] = []
        strings.reserveCapacity(min(count, Limits.listLength))
        for position in 0..<min(count, Limits.listLength) {
            let text = array.element(position).string
            if text == nil { faults.append(ShapeFault("\(place())/\(position)", .string)) }
            strings.append(text ?? "")
        }
        return strings
    }
}

extension AnswerPatch {
    /// The changes that a JSON Merge Patch (RFC 7396) makes to `{"answers": {…}, "vetoes": […]}`: `null` takes back, all else replaces.
    ///
    /// What is not of that shape is named in `faults`, as by `AnswerDraft(json:faults:)`.
    public init(json: JSONValue, faults: inout [ShapeFault]) {
        let answers = json["answers"]
        let nulls = answers?.object?.filter { $0.value.isNull }.map(\.name) ?? []
        if nulls.count > Limits.listLength { faults.append(ShapeFault("/answers", .fewer)) }
        let members = json.object?.compactMap { member -> JSONValue.Member? in
            if member.value.isNull, ["answers", "vetoes"].contains(member.name) { return nil }
            guard member.name == "answers", let answers = member.value.object else { return member }
            return JSONValue.Member(member.name, .object(answers.filter { !$0.value.isNull }))
        }
        self.init(
            replacements: AnswerDraft(json: members.map(JSONValue.object) ?? json, faults: &faults),
            removedCards: Array(nulls.prefix(Limits.listLength)), removesAnswers: answers?.isNull ?? false,
            replacesVetoes: json["vetoes"] != nil)
    }
}

extension JSONWriter {
    /// The members `answers` and `vetoes` of an open object: what `AnswerDraft(json:faults:)` reads.
    public mutating func members(of draft: AnswerDraft) {
        member(
            "answers",
            object: { writer in
                for (card, answer) in draft.answers {
                    writer.name(text: card)
                    switch answer {
                    case .word(let word): writer.string(word)
                    case .list(let options): writer.array(options) { $0.string($1) }
                    }
                }
            })
        member("vetoes", array: draft.vetoes) { $0.string($1) }
    }

    /// The same members, of a sheet: what its draft would give.
    public mutating func members(of sheet: AnswerSheet, in catalogue: Catalogue) {
        member(
            "answers",
            object: { writer in
                for card in sheet.choices.indices {
                    guard let choice = sheet.choices[card] else { continue }
                    writer.name(text: catalogue.cards[card].id.text)
                    switch choice {
                    case .like: writer.word("like")
                    case .dislike: writer.word("dislike")
                    case .skip: writer.word("skip")
                    case .none: writer.array { $0.word("none") }
                    case .options(let chosen, let unwanted):
                        if case .cuisines = catalogue.cards[card].kind {
                            writer.array(chosen) { $0.string(catalogue.cuisines[$1].id.text) }
                        } else {
                            writer.array { writer in
                                for trait in chosen { writer.string(catalogue.traits[trait].id.text) }
                                for trait in unwanted { writer.string("!\(catalogue.traits[trait].id.text)") }
                            }
                        }
                    }
                }
            })
        member("vetoes", array: sheet.vetoes) { $0.string(catalogue.vetoes[$1].id.text) }
    }
}
