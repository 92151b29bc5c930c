/// A statement and what is bound to it: interpolating a value binds it, so that no value ever becomes SQL.
struct SQL: ExpressibleByStringInterpolation {
    let text: Text
    let values: [Value]

    enum Value {
        case null
        case integer(Int64)
        case text(String)
        /// UTF-8.
        case utf8([UInt8])
        case blob([UInt8])
    }

    /// The parts of the text, all of which stand in the source: so two texts are known to be the same by where their parts lie, and the whole
    /// is put together only where a statement is prepared. Equal texts may be told apart; that costs no more than preparing one twice.
    struct Text: Hashable, CustomStringConvertible {
        fileprivate(set) var parts: [StaticString] = []

        var description: String { parts.map { "\($0)" }.joined() }

        static func == (a: Text, b: Text) -> Bool { a.parts.elementsEqual(b.parts) { $0.utf8Start == $1.utf8Start } }

        /// By the first part, which tells most of them from one another.
        func hash(into hasher: inout Hasher) { hasher.combine(parts.first?.utf8Start) }
    }

    init(stringLiteral text: StaticString) {
        self.text = Text(parts: [text])
        values = []
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    typealias StringInterpolation = Interpolation

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = Text()
        fileprivate var values: [Value] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            text.parts.reserveCapacity(2 * interpolationCount + 1)
            values.reserveCapacity(interpolationCount)
        }

        mutating func appendLiteral(_ literal: StaticString) { text.parts.append(literal) }

        /// A part that was put together before.
        mutating func appendInterpolation(_ part: SQL) {
            text.parts += part.text.parts
            values += part.values
        }

        mutating func bind(_ value: Value) {
            text.parts.append("?")
            values.append(value)
        }

        mutating func appendInterpolation(_ number: Int64?) { bind(number.map(Value.integer) ?? .null) }
        mutating func appendInterpolation(_ number: Int?) { bind(number.map { .integer(Int64($0)) } ?? .null) }
        mutating func appendInterpolation(_ truth: Bool) { bind(.integer(truth ? 1 : 0)) }
        mutating func appendInterpolation(_ text: String?) { bind(text.map(Value.text) ?? .null) }
        mutating func appendInterpolation(utf8 bytes: [UInt8]) { bind(.utf8(bytes)) }
        mutating func appendInterpolation(blob bytes: [UInt8]) { bind(.blob(bytes)) }
    }
}
