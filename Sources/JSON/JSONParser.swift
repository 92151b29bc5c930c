import CJansson

/// Why bytes are no JSON that we take.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong, in English. It may quote the input near the fault, so it is for whoever sent it and not for a log.
    public let detail: String
    /// Bytes from the start to where it went wrong.
    public let offset: Int
}

extension JSONValue {
    /// Levels of arrays and objects within one another that a text may have; a scalar has none.
    public static let maximumDepth = 32

    /// The value of the JSON text in `bytes`, read by Jansson.
    ///
    /// Stricter than the RFC demands, for two readers must never understand one text in two ways: duplicate names, lone surrogates,
    /// U+0000, numbers out of range and deep nesting are errors, as are a BOM and invalid UTF-8.
    /// Any value may stand at the top (RFC 8259 §2). Linear in the bytes, whose number is the caller's to bound.
    ///
    /// - Throws: the first thing wrong with it.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = JSONValue.maximumDepth) throws(JSONError) {
        let bytes = Array(bytes)
        // Jansson recurses to a fixed depth of 2,048, so ours is bounded before it starts.
        if let offset = Self.offset(in: bytes, deeperThan: maximumDepth) {
            throw JSONError(detail: "nested deeper than \(maximumDepth)", offset: offset)
        }
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY)
        let root = bytes.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, flags, &error) }
        guard let root else {
            throw JSONError(detail: Self.text(of: error), offset: max(0, Int(error.position)))
        }
        defer { json_decref(root) }
        self.init(copying: root)
    }

    private init(copying value: UnsafeMutablePointer<json_t>) {
        switch value.pointee.type {
        case JSON_OBJECT:
            var members: [Member] = []
            members.reserveCapacity(json_object_size(value))
            var iterator = json_object_iter(value)
            while let at = iterator {
                if let name = json_object_iter_key(at), let member = json_object_iter_value(at) {
                    members.append(Member(String(cString: name), JSONValue(copying: member)))
                }
                iterator = json_object_iter_next(value, at)
            }
            self = .object(members)
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            elements.reserveCapacity(json_array_size(value))
            for index in 0..<json_array_size(value) {
                if let element = json_array_get(value, index) { elements.append(JSONValue(copying: element)) }
            }
            self = .array(elements)
        case JSON_STRING:
            let text = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = .string(String(decoding: text, as: UTF8.self))
        case JSON_INTEGER: self = .integer(json_integer_value(value))
        case JSON_REAL: self = .real(json_real_value(value))
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        default: self = .null
        }
    }

    private static func offset(in bytes: [UInt8], deeperThan limit: Int) -> Int? {
        // Hardly any has so many brackets that they could be nested so deep, and to count them is quick.
        guard bytes.count(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) > limit else { return nil }
        var depth = 0
        var inString = false
        var escaped = false
        for (offset, byte) in bytes.enumerated() {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > limit { return offset }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return nil
    }

    /// Jansson's own words. They may quote the input near the fault, so they are for whoever sent it and not for a log.
    private static func text(of error: json_error_t) -> String {
        withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
