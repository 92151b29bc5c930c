/// A statement and what is bound to it: interpolating a value binds it, so that no value ever becomes SQL.
struct SQL: ExpressibleByStringInterpolation {
    let text: String
    let values: [Value]

    enum Value {
        case null
        case integer(Int64)
        case text(String)
        /// UTF-8.
        case utf8([UInt8])
        case blob([UInt8])
    }

    init(stringLiteral text: String) {
        self.text = text
        values = []
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    typealias StringInterpolation = Interpolation

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [Value] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A part that was put together before.
        mutating func appendInterpolation(_ part: SQL) {
            text += part.text
            values += part.values
        }

        mutating func bind(_ value: Value) {
            text += "?"
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
