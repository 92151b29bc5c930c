import JSON
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
    @Test("Values of every kind, members in their order")
    func values() throws {
        let json = try JSONValue(parsing: Array(#" {"b":[1,-2.5,true,false,null],"a":"한\u0041\n🐺","c":{}} "#.utf8))
        #expect(
            json
                == .object([
                    .init("b", .array([.integer(1), .real(-2.5), .bool(true), .bool(false), .null])), .init("a", .string("한A\n🐺")),
                    .init("c", .object([])),
                ]))
    }

    @Test(
        "What two readers could understand in two ways is no JSON",
        arguments: [
            "", " ", "{", "{}x", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "\"\\ud800\"", "\"\\u0000\"", "01",
            "1e999",
            "9223372036854775808", "NaN", "'a'", "{a:1}", "\"\t\"", "//x\n1", "\u{FEFF}{}", "\"\\x\"",
        ])
    func refusals(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test(
        "Invalid UTF-8 is no JSON",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFE, 0xFF]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test("Nesting is bounded, and brackets in strings are no nesting")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] { Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
        _ = try JSONValue(parsing: nested(32))
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(33)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(1_000_000)) }
        _ = try JSONValue(parsing: Array(#""\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[""#.utf8))
    }

    @Test("Names differ by their bytes, not by how they look")
    func names() throws {
        let json = try JSONValue(parsing: Array("{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":2}".utf8))
        #expect(json["\u{AC00}"] == .integer(1))
        #expect(json["\u{1100}\u{1161}"] == .integer(2))
    }
}

@Suite("A text that was read") struct JSONTextTests {
    @Test("gives what its value gives, for as long as any part of it is held") func parts() throws {
        let bytes = Array(#"{"b":["하나",2,{"c":"d"}],"a":null,"":{}}"#.utf8)
        let element: JSONText
        do {
            let text = try JSONText(parsing: bytes)
            #expect(text.memberCount == 3 && text.elementCount == nil && text.string == nil)
            #expect(text["a"]?.memberCount == nil && text["none"] == nil && text[""]?.memberCount == 0)
            element = try #require(text["b"])
        }
        #expect(element.elementCount == 3 && element.memberCount == nil)
        #expect(element.element(0).string == "하나" && element.element(1).string == nil)
        #expect(JSONValue(element) == .array([.string("하나"), .integer(2), .object([.init("c", .string("d"))])]))
        #expect(element["c"] == nil && element.element(2)["c"]?.string == "d")
    }

    @Test("has its members in order, as many as are wanted", arguments: [0, 2, 3, 9]) func members(count: Int) throws {
        let bytes = Array(#"{"b":1,"a":2,"c":3}"#.utf8)
        let (text, value) = (try JSONText(parsing: bytes), try JSONValue(parsing: bytes))
        var (names, same): ([String], [String]) = ([], [])
        text.forEachMember(upTo: count) { name, _ in names.append(name) }
        value.forEachMember(upTo: count) { name, _ in same.append(name) }
        #expect(names == Array(["b", "a", "c"].prefix(count)) && names == same)
    }

    @Test("can be of any size, and so can each of its parts") func size() throws {
        let name = String(repeating: "이름", count: 100_000)
        let value = JSONValue.array(
            (0..<50_000).map { .array([.integer($0)]) }
                + [.string(String(repeating: "\"긴 글\" ", count: 300_000)), .object([.init(name, .string("")), .init("", .object([]))])]
                + [.object((0..<20_000).map { .init("m\($0)", .bool($0 % 2 == 0)) })])
        var writer = JSONWriter()
        writer.value(value)
        #expect(try JSONValue(parsing: writer.bytes) == value)
    }

    @Test("is read on several threads at once, and can be let go of on another") func threads() async throws {
        let texts = (0..<100).map { number in Array("{\"\(number)\":[\((0...number).map { "\"\($0)\"" }.joined(separator: ","))]}".utf8) }
        try await withThrowingTaskGroup { group in
            for (number, bytes) in texts.enumerated() {
                group.addTask {
                    let text = try JSONText(parsing: bytes)
                    await Task.detached { #expect(text["\(number)"]?.element(number).string == "\(number)") }.value
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test(
        "What is written is read back as it was",
        arguments: [
            .null, .bool(true), .integer(.min), .integer(.max), .integer(0), .real(0.5), .string("\"\\/\u{1}\n\t\u{7F} 한글 🐺"), .array([]),
            .object([]),
            .object([.init("a", .array([.integer(1), .array([.null]), .object([.init("", .string(""))])])), .init("b", .integer(-7))]),
        ] as [JSONValue])
    func roundTrip(value: JSONValue) throws {
        var writer = JSONWriter()
        writer.value(value)
        #expect(try JSONValue(parsing: writer.bytes) == value)
    }

    @Test("It grows with what is written") func growth() throws {
        let texts = (0..<100).map { String(repeating: "\"한\u{1}", count: $0) }
        var writer = JSONWriter(reserving: 0)
        writer.array(texts) { $0.string($1) }
        #expect(try JSONValue(parsing: writer.bytes) == .array(texts.map(JSONValue.string)))
    }

    @Test("It is the same text however much room there was at first", arguments: 0...40) func room(capacity: Int) {
        let bytes = JSONWriter.bytes(reserving: capacity) { $0.array(0..<4) { $0.string("\($1)\n한글") } }
        #expect(String(decoding: bytes, as: UTF8.self) == #"["0\u000a한글","1\u000a한글","2\u000a한글","3\u000a한글"]"#)
    }

    @Test("What stands in the source is written as it is")
    func words() {
        var writer = JSONWriter(reserving: 0)
        writer.array { writer in
            writer.word("like")
            writer.string("m_", then: 7)
            writer.string("m_", then: .min)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"["like","m_7","m_-9223372036854775808"]"#)
    }

    @Test("Commas stand between and nowhere else")
    func commas() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", array: [1, 2, 3]) { $0.integer($1) }
            writer.member("b", object: { $0.member("c", true) })
            writer.member("d", nil as String?)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,2,3],"b":{"c":true},"d":null}"#)
    }
}
