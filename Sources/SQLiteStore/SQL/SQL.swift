/// A statement and what is bound to it: interpolating a value binds it, so that no value ever becomes SQL.
struct SQL: ExpressibleByStringInterpolation {
    enum Value {
        case null
        case integer(Int64)
        case text(String)
        /// UTF-8.
        case utf8([UInt8])
        case blob([UInt8])
    }

    /// A piece of it, in order.
    enum Part {
        /// Stands in the source: so two are known to be the same by where they lie.
        case text(StaticString)
        case value(Value)

        /// Where a text lies; `nil` for a value.
        fileprivate var place: UnsafePointer<UInt8>? { if case .text(let text) = self { text.utf8Start } else { nil } }
    }

    let parts: [Part]

    init(stringLiteral text: StaticString) { parts = [.text(text)] }

    init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

    /// What is prepared of it.
    var text: String { parts.map { if case .text(let text) = $0 { "\(text)" } else { "?" } }.joined() }

    typealias StringInterpolation = Interpolation

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

        mutating func appendLiteral(_ literal: StaticString) { parts.append(.text(literal)) }

        /// What was put together before.
        mutating func appendInterpolation(_ sql: SQL) { parts += sql.parts }

        mutating func bind(_ value: Value) { parts.append(.value(value)) }

        mutating func appendInterpolation(_ number: Int64?) { bind(number.map(Value.integer) ?? .null) }
        mutating func appendInterpolation(_ number: Int?) { bind(number.map { .integer(Int64($0)) } ?? .null) }
        mutating func appendInterpolation(_ truth: Bool) { bind(.integer(truth ? 1 : 0)) }
        mutating func appendInterpolation(_ text: String?) { bind(text.map(Value.text) ?? .null) }
        mutating func appendInterpolation(utf8 bytes: [UInt8]) { bind(.utf8(bytes)) }
        mutating func appendInterpolation(blob bytes: [UInt8]) { bind(.blob(bytes)) }
    }
}

extension SQL {
    /// Tells statements apart without putting their texts together. Equal texts may be told apart; that costs no more than preparing one
    /// twice.
    struct Key: Hashable {
        private let parts: [Part]

        init(_ sql: SQL) { parts = sql.parts }

        /// The same, for those that are kept: values are not.
        init(keeping sql: SQL) { parts = sql.parts.map { if case .value = $0 { .value(.null) } else { $0 } } }

        static func == (a: Key, b: Key) -> Bool {
            guard a.parts.count == b.parts.count else { return false }
            let (a, b) = (a.parts.span, b.parts.span)
            for index in a.indices where a[index].place != b[index].place { return false }
            return true
        }

        /// By the first part, which tells most of them from one another.
        func hash(into hasher: inout Hasher) { hasher.combine(parts.first?.place) }
    }
}
