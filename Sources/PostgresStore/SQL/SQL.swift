/// A statement and what is bound to it: interpolating a value binds it, so that no value ever becomes SQL.
struct SQL: ExpressibleByStringInterpolation {
    /// With `$1`, `$2`, … in the place of the values.
    let text: String
    /// All that is bound, one value after the other, in PostgreSQL's binary format.
    let bytes: [UInt8]
    let values: [Value]
    /// What stands between the values.
    private let pieces: [String]

    struct Value {
        let type: DataType
        /// Where in `bytes` it is; `nil` for NULL.
        var place: Range<Int>?
    }

    /// What is the same whatever is bound: what the server prepares.
    struct Form: Hashable {
        let text: String
        let types: [DataType]
    }

    var form: Form { Form(text: text, types: values.map(\.type)) }

    /// Numbers of the built-in types, as `pg_type.dat` has them.
    enum DataType: UInt32 {
        case bool = 16
        case bytea = 17
        case int8 = 20
        case text = 25
        case byteaArray = 1001
        case textArray = 1009
        case int8Array = 1016
    }

    init(stringLiteral text: String) {
        self.init(Interpolation(text))
    }

    init(stringInterpolation: Interpolation) {
        self.init(stringInterpolation)
    }

    private init(_ parts: Interpolation) {
        var text = parts.pieces[0]
        for (index, piece) in parts.pieces.dropFirst().enumerated() { text += "$\(index + 1)\(piece)" }
        self.text = text
        (pieces, values, bytes) = (parts.pieces, parts.values, parts.bytes)
    }

    typealias StringInterpolation = Interpolation

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var pieces: [String]
        fileprivate var values: [Value] = []
        fileprivate var bytes: [UInt8] = []

        fileprivate init(_ text: String) { pieces = [text] }

        init(literalCapacity: Int, interpolationCount: Int) {
            self.init("")
            pieces.reserveCapacity(interpolationCount + 1)
            values.reserveCapacity(interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { pieces[pieces.count - 1] += literal }

        /// Part of a statement, with what is bound to it.
        mutating func appendInterpolation(_ sql: SQL) {
            let offset = bytes.count
            bytes += sql.bytes
            values += sql.values.map { value in
                Value(type: value.type, place: value.place.map { $0.lowerBound + offset..<$0.upperBound + offset })
            }
            appendLiteral(sql.pieces[0])
            pieces += sql.pieces.dropFirst()
        }

        mutating func appendInterpolation(_ number: Int64?) { bind(.int8, number) { Self.append($1, to: &$0) } }
        mutating func appendInterpolation(_ number: Int?) { appendInterpolation(number.map(Int64.init)) }
        mutating func appendInterpolation(_ truth: Bool) { bind(.bool, truth) { $0.append($1 ? 1 : 0) } }
        mutating func appendInterpolation(_ text: String?) { bind(.text, text) { $0 += $1.utf8 } }
        mutating func appendInterpolation(utf8 text: [UInt8]) { bind(.text, text) { $0 += $1 } }
        mutating func appendInterpolation(blob bytes: [UInt8]) { bind(.bytea, bytes) { $0 += $1 } }
        mutating func appendInterpolation(_ numbers: [Int64]) { bind(.int8Array, of: .int8, numbers) { Self.append($1, to: &$0) } }
        mutating func appendInterpolation(_ texts: [String]) { bind(.textArray, of: .text, texts) { $0 += $1.utf8 } }
        mutating func appendInterpolation(blobs: [[UInt8]]) { bind(.byteaArray, of: .bytea, blobs) { $0 += $1 } }

        private mutating func bind<Input>(_ type: DataType, _ input: Input?, _ write: (inout [UInt8], Input) -> Void) {
            var value = Value(type: type)
            if let input {
                let start = bytes.count
                write(&bytes, input)
                value.place = start..<bytes.count
            }
            values.append(value)
            pieces.append("")
        }

        /// An array of one dimension, as `array_send` writes it: dimensions, whether there are NULLs, the type of its elements, their
        /// number, the first index, and each with its length before it. One of none has no dimension.
        private mutating func bind<Element>(
            _ type: DataType, of element: DataType, _ elements: [Element], _ write: (inout [UInt8], Element) -> Void
        ) {
            bind(type, elements) { bytes, elements in
                for number in [elements.isEmpty ? 0 : 1, 0, element.rawValue] { Self.append(number, to: &bytes) }
                guard !elements.isEmpty else { return }
                Self.append(UInt32(truncatingIfNeeded: elements.count), to: &bytes)
                Self.append(UInt32(1), to: &bytes)
                for element in elements {
                    let start = bytes.count
                    Self.append(UInt32(0), to: &bytes)
                    write(&bytes, element)
                    let length = UInt32(truncatingIfNeeded: bytes.count - start - 4).bigEndian
                    withUnsafeBytes(of: length) { bytes.replaceSubrange(start..<start + 4, with: $0) }
                }
            }
        }

        private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        }
    }
}
