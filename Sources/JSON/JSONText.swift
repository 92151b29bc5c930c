import CJansson

/// A value of a JSON text, where Jansson has put it: only what is asked for is copied.
///
/// Jansson's values are not counted one by one: all of a text are there for as long as anything refers to one of them.
public struct JSONText: JSONReadable {
    /// All of the text lies in it.
    private let arena: JSONArena
    private let value: UnsafeMutablePointer<json_t>

    /// Levels of arrays and objects within one another that a text may have; a scalar has none.
    public static let maximumDepth = 32

    /// The JSON text in `bytes`, read by Jansson.
    ///
    /// Stricter than the RFC demands, for two readers must never understand one text in two ways: duplicate names, lone surrogates,
    /// U+0000, numbers out of range and deep nesting are errors, as are a BOM and invalid UTF-8.
    /// Any value may stand at the top (RFC 8259 §2). Linear in the bytes, whose number is the caller's to bound.
    ///
    /// - Throws: the first thing wrong with it.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = JSONText.maximumDepth) throws(JSONError) {
        let bytes = Array(bytes)
        arena = JSONArena(forText: bytes.count)
        value = try parse(bytes, maximumDepth, in: arena)
    }

    private init(_ value: UnsafeMutablePointer<json_t>, in arena: JSONArena) {
        self.value = value
        self.arena = arena
    }

    public var string: String? {
        read { value in
            guard value.pointee.type == JSON_STRING else { return nil }
            return Self.copy(json_string_value(value), json_string_length(value))
        }
    }

    public var memberCount: Int? { read { $0.pointee.type == JSON_OBJECT ? json_object_size($0) : nil } }

    public var elementCount: Int? { read { $0.pointee.type == JSON_ARRAY ? json_array_size($0) : nil } }

    public subscript(name: String) -> JSONText? {
        read { value in
            let member = name.utf8.span.withUnsafeBytes { json_object_getn(value, $0.baseAddress, $0.count) }
            return member.map { JSONText($0, in: arena) }
        }
    }

    public func element(_ place: Int) -> JSONText { read { json_array_get($0, place).map { JSONText($0, in: arena) } ?? self } }

    public func forEachMember(upTo count: Int, _ body: (String, JSONText) -> Void) {
        read { value in
            var iterator = json_object_iter(value)
            var left = count
            while let at = iterator, left > 0 {
                if let name = json_object_iter_key(at), let member = json_object_iter_value(at) {
                    body(Self.copy(name, json_object_iter_key_len(at)), JSONText(member, in: arena))
                }
                left -= 1
                iterator = json_object_iter_next(value, at)
            }
        }
    }

    private static func copy(_ utf8: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: utf8, count: count), as: UTF8.self)
    }

    /// The text is there until `body` returns: without this it might go with the last look at what refers to it.
    @inline(__always)
    private func read<Result>(_ body: (UnsafeMutablePointer<json_t>) -> Result) -> Result { withExtendedLifetime(arena) { body(value) } }

    /// All of it, copied.
    var copy: JSONValue {
        read { value in
            switch value.pointee.type {
            case JSON_OBJECT:
                var members: [JSONValue.Member] = []
                members.reserveCapacity(json_object_size(value))
                forEachMember(upTo: .max) { members.append(JSONValue.Member($0, $1.copy)) }
                return .object(members)
            case JSON_ARRAY: return .array((0..<json_array_size(value)).map { element($0).copy })
            case JSON_STRING: return .string(string ?? "")
            case JSON_INTEGER: return .integer(json_integer_value(value))
            case JSON_REAL: return .real(json_real_value(value))
            case JSON_TRUE: return .bool(true)
            case JSON_FALSE: return .bool(false)
            default: return .null
            }
        }
    }
}

extension JSONValue {
    /// The value of the JSON text in `bytes`; see `JSONText(parsing:maximumDepth:)`.
    ///
    /// - Throws: the first thing wrong with it.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = JSONText.maximumDepth) throws(JSONError) {
        self = try JSONText(parsing: bytes, maximumDepth: maximumDepth).copy
    }

    /// All of a text that has been read.
    public init(_ text: JSONText) { self = text.copy }
}
