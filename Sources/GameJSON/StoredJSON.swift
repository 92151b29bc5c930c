internal import JSON
public import MenuGame

/// The texts in which a store keeps what is too deep for columns. What is written is read back the same, ids byte for byte.
///
/// All are UTF-8. Reading throws where a text is none that writing gives: a member is missing or of another type. Names are not looked up,
/// so whether a catalogue knows them is for `AnswerSheet(_:in:)` to find out.
public enum StoredJSON {
    /// `{"answers": {…}, "vetoes": […]}`, as clients write them.
    ///
    /// - Parameter sheet: made with this catalogue.
    public static func text(of sheet: AnswerSheet, in catalogue: Catalogue) -> [UInt8] {
        JSONWriter.bytes(reserving: 512) { $0.object { $0.members(of: sheet, in: catalogue) } }
    }

    /// All of an outcome, in both languages.
    public static func text(of outcome: Outcome) -> [UInt8] {
        JSONWriter.bytes(reserving: 2048) { $0.value(of: outcome) }
    }

    /// An array of the same of each, in their order.
    public static func text(of ballots: [AnswerDraft]) -> [UInt8] {
        JSONWriter.bytes(reserving: 256 * ballots.count) { writer in
            writer.array(ballots) { writer, answers in writer.object { $0.members(of: answers) } }
        }
    }

    /// The answers that `text(of:)` wrote. Where they are none, the fault tells no place within them: it would name a card.
    public static func answers(_ text: [UInt8]) throws(StoredJSONFault) -> AnswerDraft { try StoredReader(text).answers() }

    /// The outcome that `text(of:)` wrote.
    public static func outcome(_ text: [UInt8]) throws(StoredJSONFault) -> Outcome { try Outcome(stored: StoredReader(text)) }

    /// The ballots that `text(of:)` wrote, in their order.
    public static func ballots(_ text: [UInt8]) throws(StoredJSONFault) -> [AnswerDraft] {
        try StoredReader(text).elements { ballot throws(StoredJSONFault) in try ballot.answers() }
    }
}

/// A stored text is not what this program wrote. Says where and why, and quotes nothing.
public struct StoredJSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A pointer into the text and what is wrong there, for the operator's log.
    public let description: String
}

/// A value of a stored text and where it stands, so that a fault can be found.
struct StoredReader {
    let value: JSONValue
    private let place: String

    init(_ text: [UInt8]) throws(StoredJSONFault) {
        do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
            // The parser's words may quote somebody's answers.
            throw StoredJSONFault(description: "no JSON from byte \(error.offset) on")
        }
        place = ""
    }

    private init(_ value: JSONValue, at place: String) {
        self.value = value
        self.place = place
    }

    func fault(_ detail: String) -> StoredJSONFault { StoredJSONFault(description: "\(place.isEmpty ? "it" : place) \(detail)") }

    func member(_ name: String) throws(StoredJSONFault) -> StoredReader {
        guard let member = value[name] else { throw fault("has no \(name)") }
        return StoredReader(member, at: "\(place)/\(name)")
    }

    func string() throws(StoredJSONFault) -> String {
        guard let text = value.string else { throw fault("is no string") }
        return text
    }

    func string(_ name: String) throws(StoredJSONFault) -> String { try member(name).string() }

    func integer(_ name: String) throws(StoredJSONFault) -> Int {
        let member = try member(name)
        guard let number = member.value.integer else { throw member.fault("is no integer") }
        return Int(number)
    }

    func bool(_ name: String) throws(StoredJSONFault) -> Bool {
        let member = try member(name)
        guard let truth = member.value.bool else { throw member.fault("is no boolean") }
        return truth
    }

    func elements<Element>(
        _ each: (StoredReader) throws(StoredJSONFault) -> Element
    ) throws(StoredJSONFault) -> [Element] {
        guard let elements = value.array else { throw fault("is no array") }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            result.append(try each(StoredReader(element, at: "\(place)/\(position)")))
        }
        return result
    }

    func array<Element>(
        _ name: String, _ each: (StoredReader) throws(StoredJSONFault) -> Element
    ) throws(StoredJSONFault) -> [Element] {
        try member(name).elements(each)
    }

    func answers() throws(StoredJSONFault) -> AnswerDraft {
        for name in ["answers", "vetoes"] { _ = try member(name) }
        var faults: [ShapeFault] = []
        let answers = AnswerDraft(json: value, faults: &faults)
        // Where within the answers it is would name a card, which is somebody's answer.
        guard faults.isEmpty else { throw fault("holds no answers") }
        return answers
    }
}
