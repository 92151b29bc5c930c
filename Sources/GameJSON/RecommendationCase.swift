public import JSON
public import MenuGame

/// One question to the rule with everything it takes, as the vectors write it down:
///
///     {"catalogue": {…}, "submissions": [{"member", "answers", "vetoes"}], "seed": "…",
///      "weights": {member: 1…4}?, "avoid": [menu]?, "menus": [menu]?}
///
/// The catalogue stands inline and needs no labels. Submissions are in order of arrival. `menus` restricts the catalogue to these.
/// Weights of members without a submission and unknown menus to avoid are ignored; anything else unknown is refused. Further members
/// of the object are ignored.
public struct RecommendationCase: Sendable {
    /// With the menus that the case restricts it to, and no fingerprint.
    public let catalogue: Catalogue
    /// One a member who submitted, in no order.
    public let ballots: [Ballot]
    /// What the lots are drawn with (S10).
    public let seed: String
    /// Menus to leave out while three others remain (S4); some may be unknown.
    public let avoided: Set<Identifier>

    /// - Throws: the first thing wrong with it.
    public init(json: JSONValue) throws(CaseFault) {
        guard json.object != nil else { throw CaseFault("", "is not an object") }
        catalogue = try Self.catalogue(json)
        ballots = try Self.ballots(json, in: catalogue)
        guard let seed = json["seed"]?.string else { throw CaseFault("/seed", "is not a string") }
        self.seed = seed
        avoided = Set(try Self.strings(json, "avoid")?.map(Identifier.init) ?? [])
    }

    /// The answer, computed anew each time it is asked for.
    public var recommendation: Recommendation { Recommendation(of: ballots, in: catalogue, seed: seed, avoiding: avoided) }

    private static func catalogue(_ json: JSONValue) throws(CaseFault) -> Catalogue {
        guard var catalogue = json["catalogue"] else { throw CaseFault("/catalogue", "is missing") }
        if let menus = try strings(json, "menus") { catalogue = catalogue.restricted(to: Set(menus.map(Identifier.init))) }
        do throws(CatalogueFaults) {
            return try Catalogue(json: catalogue, fingerprint: "", for: .rule)
        } catch {
            let fault = error.faults.first
            throw CaseFault("/catalogue\(fault?.pointer ?? "")", fault?.detail ?? "is no catalogue")
        }
    }

    /// One ballot a member: the last submission, which replaces the earlier ones entirely (S1).
    private static func ballots(_ json: JSONValue, in catalogue: Catalogue) throws(CaseFault) -> [Ballot] {
        let weights = try weights(json)
        guard let submissions = json["submissions"]?.array else { throw CaseFault("/submissions", "is not an array") }
        var current: [Identifier: AnswerSheet] = [:]
        for (position, submission) in submissions.enumerated() {
            let place = "/submissions/\(position)"
            guard submission.object != nil else { throw CaseFault(place, "is not an object") }
            guard let member = submission["member"]?.string else { throw CaseFault("\(place)/member", "is not a string") }
            current[Identifier(member)] = try sheet(submission, at: place, in: catalogue)
        }
        return current.map { member, sheet in Ballot(sheet, weight: weights[member] ?? 1) }
    }

    private static func sheet(_ submission: JSONValue, at place: String, in catalogue: Catalogue) throws(CaseFault) -> AnswerSheet {
        var shapes: [ShapeFault] = []
        let draft = AnswerDraft(json: submission, faults: &shapes)
        if let fault = shapes.first { throw CaseFault(place + fault.pointer, "is not \(fault.expected.words)") }
        do throws(AnswerFaults) {
            return try AnswerSheet(draft, in: catalogue)
        } catch {
            guard let fault = error.faults.first else { throw CaseFault(place, "is not valid") }
            throw CaseFault(place + fault.pointer, fault.words)
        }
    }

    private static func weights(_ json: JSONValue) throws(CaseFault) -> [Identifier: Int] {
        guard let value = json["weights"], !value.isNull else { return [:] }
        guard let members = value.object else { throw CaseFault("/weights", "is not an object") }
        var weights: [Identifier: Int] = [:]
        for member in members {
            guard let weight = member.value.integer, Limits.weights.contains(Int(clamping: weight)) else {
                let (low, high) = (Limits.weights.lowerBound, Limits.weights.upperBound)
                throw CaseFault(pointer("/weights", member.name), "is not an integer from \(low) to \(high)")
            }
            weights[Identifier(member.name)] = Int(clamping: weight)
        }
        return weights
    }

    private static func strings(_ json: JSONValue, _ name: String) throws(CaseFault) -> [String]? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let elements = value.array else { throw CaseFault("/\(name)", "is not an array") }
        var strings: [String] = []
        for (position, element) in elements.enumerated() {
            guard let text = element.string else { throw CaseFault("/\(name)/\(position)", "is not a string") }
            strings.append(text)
        }
        return strings
    }
}

/// What is wrong with a case, for whoever wrote it.
public struct CaseFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// JSON Pointer (RFC 6901) into the case; empty for the whole of it.
    public let pointer: String
    /// The rest of a sentence about that place ("is not a string"). It may quote the case.
    public let detail: String

    public init(_ pointer: String, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    /// The whole sentence.
    public var description: String { pointer.isEmpty ? "the case \(detail)" : "\(pointer) \(detail)" }
}

/// The answer to the case in a JSON text, as the vectors expect it: UTF-8 without a line end.
///
/// The number of bytes is the caller's to bound, and with it that of ballots and menus.
///
/// - Throws: the first thing wrong with the text.
public func recommend(_ bytes: [UInt8]) throws(CaseFault) -> [UInt8] {
    let json: JSONValue
    do throws(JSONError) {
        json = try JSONValue(parsing: bytes)
    } catch {
        throw CaseFault("", "is not JSON: \(error.detail), at byte \(error.offset)")
    }
    let question = try RecommendationCase(json: json)
    var writer = JSONWriter()
    writer.recommendation(question.recommendation, in: question.catalogue)
    return writer.bytes
}

extension JSONValue {
    /// A catalogue without the menus that are not among `ids`; what is no menu at all stays, to be refused.
    fileprivate func restricted(to ids: Set<Identifier>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard member.name == "menus", case .array(let menus) = member.value else { return member }
                return Member(member.name, .array(menus.filter { $0["id"]?.string.map { ids.contains(Identifier($0)) } ?? true }))
            })
    }
}

extension ShapeFault.Expected {
    fileprivate var words: String {
        switch self {
        case .object, .array, .integer: "an \(rawValue)"
        case .string, .boolean: "a \(rawValue)"
        case .stringOrArrayOfStrings: "a string or an array of strings"
        case .fewer: "a list of at most \(Limits.listLength)"
        }
    }
}

extension AnswerFault {
    fileprivate var words: String {
        switch kind {
        case .unknownCard: "is no card of the catalogue"
        case .unknownOption: "is no option of this card"
        case .unknownVeto: "is no veto of the catalogue"
        case .noneNotAlone: "is 'none' beside other options"
        case .wantedAndUnwanted: "is wanted and not wanted"
        case .listForTrait: "is a list where like, dislike or skip belongs"
        case .wordForList: "is a word where a list or skip belongs"
        }
    }
}
