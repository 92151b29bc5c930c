import MenuGame

/// What the query of a request asks for, by name.
struct Query {
    private let items: [(name: String, value: String)]

    /// - Throws: `malformedRequest` where an escape is broken.
    init(_ query: [UInt8]?) throws(Problem) {
        guard let items = queryItems(query) else { throw Problem(.malformedRequest) }
        self.items = items
    }

    /// All values of that name, in their order.
    func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The number that the last value of that name spells; `nil` where there is none.
    ///
    /// - Throws: `malformedRequest` where it spells none, or one outside `range`.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = items.last(where: { $0.name == name })?.value else { return nil }
        guard let number = decimal(text.utf8), range.contains(number) else {
            let (least, most) = (range.lowerBound, range.upperBound)
            throw Problem(
                .malformedRequest,
                detail: most == .max
                    ? Localized(ko: "쿼리의 \(name)는 \(least) 이상의 정수여야 합니다.", en: "\(name) in the query is no integer from \(least) on.")
                    : Localized(
                        ko: "쿼리의 \(name)는 \(least)부터 \(most)까지의 정수여야 합니다.",
                        en: "\(name) in the query is no integer from \(least) to \(most)."))
        }
        return number
    }
}

/// The number that decimal digits, and nothing else, spell; `nil` where they are none or too many.
func decimal(_ digits: some Collection<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
}
