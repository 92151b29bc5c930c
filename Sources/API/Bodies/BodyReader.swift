import GameJSON
import JSON
import MenuGame

/// Reads a body and collects everything that is wrong with it.
struct BodyReader {
    let json: JSONValue
    private(set) var faults: [Problem.Fault] = []

    /// - Parameter json: `nil` for no body, which is like an empty object.
    init(_ json: JSONValue?) throws(Problem) {
        self.json = json ?? .object([])
        guard self.json.object != nil else {
            throw Problem(.invalidBody, errors: [Problem.Fault(ShapeFault("", .object))])
        }
    }

    mutating func fault(_ pointer: String, ko: String, en: String) {
        faults.append(Problem.Fault(pointer: pointer, detail: Localized(ko: ko, en: en)))
    }

    mutating func fault(_ fault: Problem.Fault) { faults.append(fault) }

    mutating func fault(_ fault: ShapeFault) { faults.append(Problem.Fault(fault)) }

    /// A truth value; `fallback` where there is none or `null`.
    mutating func bool(_ value: JSONValue?, _ pointer: String, or fallback: Bool) -> Bool {
        guard let value, !value.isNull else { return fallback }
        if let truth = value.bool { return truth }
        fault(ShapeFault(pointer, .boolean))
        return fallback
    }

    /// An integer; `nil` where there is none or `null`.
    mutating func integer(_ value: JSONValue?, _ pointer: String) -> Int64? {
        guard let value, !value.isNull else { return nil }
        if let number = value.integer { return number }
        fault(ShapeFault(pointer, .integer))
        return nil
    }

    /// The string that an object has to have.
    mutating func string(_ name: String) -> String? {
        if let text = json[name]?.string { return text }
        fault(ShapeFault(pointer("", name), .string))
        return nil
    }

    /// A nickname; `nil` where none is given, `.some(nil)` for `null`.
    mutating func nickname() -> Nickname?? {
        switch json["nickname"] {
        case nil: return .none
        case .null?: return .some(nil)
        case .string(let text)?:
            do throws(Nickname.Fault) { return try Nickname(text, normalize: normalizedToNFC) } catch {
                faults.append(Problem.Fault(error))
            }
        default: fault(ShapeFault("/nickname", .string))
        }
        return .none
    }

    func finish() throws(Problem) {
        if !faults.isEmpty { throw Problem(.invalidBody, errors: faults) }
    }
}

extension Problem.Fault {
    /// Also said by a room that knows better when it ends.
    static let badDeadline = Problem.Fault(
        pointer: "/deadlineAt",
        detail: Localized(ko: "지금부터 방이 끝나기 전까지의 시각이어야 합니다", en: "has to be in the future and before the room ends"))

    init(_ fault: ShapeFault) {
        let expected: Localized =
            switch fault.expected {
            case .object: Localized(ko: "객체여야 합니다", en: "has to be an object")
            case .array: Localized(ko: "배열이어야 합니다", en: "has to be an array")
            case .fewer: Localized(ko: "항목이 너무 많습니다", en: "has too many elements")
            case .string: Localized(ko: "문자열이어야 합니다", en: "has to be a string")
            case .integer: Localized(ko: "정수여야 합니다", en: "has to be an integer")
            case .boolean: Localized(ko: "true 또는 false여야 합니다", en: "has to be true or false")
            case .stringOrArrayOfStrings:
                Localized(ko: "문자열 또는 문자열 배열이어야 합니다", en: "has to be a string or an array of strings")
            }
        self.init(pointer: fault.pointer, detail: expected)
    }

    init(_ fault: Nickname.Fault) {
        let detail: Localized =
            switch fault {
            case .empty: Localized(ko: "비어 있습니다", en: "is blank")
            case .tooLong:
                Localized(
                    ko: "너무 깁니다. \(Limits.nicknameGraphemes)자까지 쓸 수 있습니다", en: "is longer than \(Limits.nicknameGraphemes) characters")
            case .forbiddenCharacter: Localized(ko: "쓸 수 없는 문자가 있습니다", en: "has a character that no name may have")
            case .invisible: Localized(ko: "보이는 글자가 없습니다", en: "has nothing that can be seen")
            }
        self.init(pointer: "/nickname", detail: detail)
    }

    init(_ fault: AnswerFault) {
        let detail: Localized =
            switch fault.kind {
            case .unknownCard: Localized(ko: "없는 카드입니다", en: "there is no such card")
            case .unknownOption: Localized(ko: "이 카드에 없는 선택지입니다", en: "the card has no such option")
            case .unknownVeto: Localized(ko: "없는 항목입니다", en: "there is no such veto")
            case .noneNotAlone: Localized(ko: "none은 다른 선택지와 함께 쓸 수 없습니다", en: "'none' stands alone")
            case .wantedAndUnwanted: Localized(ko: "원하면서 원하지 않을 수는 없습니다", en: "is wanted and not wanted at once")
            case .listForTrait: Localized(ko: "like, dislike, skip 중 하나여야 합니다", en: "has to be one of like, dislike, skip")
            case .wordForList: Localized(ko: "배열 또는 skip이어야 합니다", en: "has to be an array, or skip")
            }
        self.init(pointer: fault.pointer, detail: detail)
    }
}

extension Problem {
    /// All faults of a sheet; the code is theirs where they are of one kind.
    init(_ faults: AnswerFaults) {
        let kinds = Set(faults.faults.map(\.kind))
        let code: Code =
            switch (kinds.count, kinds.first) {
            case (1, .unknownCard?): .unknownCard
            case (1, .unknownOption?): .unknownOption
            case (1, .unknownVeto?): .unknownVeto
            default: .invalidBody
            }
        self.init(code, errors: faults.faults.map(Fault.init))
    }
}
