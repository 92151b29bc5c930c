/// The elements of a negotiation field (`Accept`, `Accept-Language`) with their weights in thousandths (RFC 9110 §12.4.2).
///
/// What is not of the grammar is passed over: a preference that cannot be read is none.
struct WeightedList {
    struct Element {
        /// In lower case, without parameters.
        let value: String
        /// 0…1000.
        let weight: Int
    }

    let elements: [Element]

    init(_ field: [UInt8]) {
        elements = Array(field.split(separator: UInt8(ascii: ",")).lazy.compactMap(Self.element).prefix(APIBounds.preferences))
    }

    /// `nil` for an empty element too, which a list may have any number of (RFC 9110 §5.6.1.2).
    private static func element(_ bytes: ArraySlice<UInt8>) -> Element? {
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        guard let value = parts.first, !value.isEmpty else { return nil }
        guard let q = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return Element(value: value, weight: 1000) }
        return thousandths(q.dropFirst(2)).map { Element(value: value, weight: $0) }
    }

    private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// `0`, `0.5`, `1.000` in thousandths.
    private static func thousandths(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts[0] == "0" || parts[0] == "1", fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let parsed = Int(parts[0] + fraction + String(repeating: "0", count: 3 - fraction.utf8.count)), parsed <= 1000
        else { return nil }
        return parsed
    }
}
