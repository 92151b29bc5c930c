import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A pipeline", .sharesPostgres, .blocks) struct PipelineTests {
    private static let limit = Duration.seconds(60)

    @Test("binds what is interpolated and reads it back the same") func values() throws {
        let connection = try connect()
        let numbers: [Int64] = [0, 1, -1, .max, .min]
        let texts = ["", "김치 🍲", "'; DROP TABLE room; --", "\u{1102}\u{1161}", String(repeating: "x", count: 100_000)]
        let blobs: [[UInt8]] = [[], [0], [0, 255, 39, 92], [UInt8](repeating: 7, count: 100_000)]
        for number in numbers { #expect(try one(connection, "SELECT \(number)") { $0.integer64() } == number) }
        for text in texts {
            #expect(try one(connection, "SELECT \(text)") { $0.text() } == text)
            #expect(try one(connection, "SELECT \(utf8: Array(text.utf8))") { $0.bytes() } == Array(text.utf8))
        }
        for blob in blobs { #expect(try one(connection, "SELECT \(blob: blob)") { $0.bytes() } == blob) }
        for truth in [true, false] { #expect(try one(connection, "SELECT \(truth)") { $0.bool() } == truth) }
        #expect(try one(connection, "SELECT \(Int?.none)") { $0.optional { $0.integer() } } == nil)
        #expect(try all(connection, "SELECT unnest(\(numbers))") { $0.integer64() } == numbers)
        #expect(try all(connection, "SELECT unnest(\(texts))") { $0.text() } == texts)
        #expect(try all(connection, "SELECT unnest(\(blobs: blobs))") { $0.bytes() } == blobs)
        #expect(try all(connection, "SELECT unnest(\([String]()))") { $0.text() } == [])
    }

    @Test("puts a statement together of parts, with what is bound to each") func parts() throws {
        let part: SQL = "\("b") || \("c")"
        let whole: SQL = "SELECT \("a") || \(part) || \("d"), \(Int64(7))"
        #expect(whole.text == "SELECT $1 || $2 || $3 || $4, $5")
        let connection = try connect()
        #expect(try one(connection, whole) { "\($0.text()) \($0.integer())" } == "abcd 7")
    }

    @Test("answers each statement, and after one that is refused says which") func refused() throws {
        let connection = try connect()
        let answers = try connection.exchange(["SELECT 1::bigint", "SELECT 1 / 0", "SELECT 2::bigint"], within: Self.limit)
        guard case .done(let rows) = answers[0], case .refused(let refusal) = answers[1], case .skipped = answers[2] else {
            Issue.record("\(answers)")
            return
        }
        #expect(rows.first { $0.integer() } == 1)
        #expect(refusal.isDivisionByZero)
        // What was skipped was not prepared either, and what cannot be prepared is refused itself.
        let again = try connection.exchange(["SELECT 2::bigint", "SELECT nonsense", "SELECT 3::bigint"], within: Self.limit)
        guard case .done = again[0], case .refused(let unknown) = again[1], case .skipped = again[2] else {
            Issue.record("\(again)")
            return
        }
        #expect(unknown.code == "42703")
        #expect(try one(connection, "SELECT 3::bigint") { $0.integer() } == 3)
    }

    @Test("leaves no transaction open after one that was refused") func rolledBack() throws {
        let connection = try connect()
        #expect(throws: StoreError.self) { try connection.write(["SELECT 1 / 0"], within: Self.limit) }
        #expect(connection.isIdle && connection.isUsable)
        #expect(throws: StoreError.self) { try connection.run(script: "BEGIN; SELECT 1 / 0", within: Self.limit) }
        #expect(connection.isIdle && connection.isUsable)
    }

    @Test("sends and takes more at once than fits on the way") func large() throws {
        let connection = try connect()
        let text = String(repeating: "x", count: 1 << 20)
        let answers = try connection.run((0..<40).map { "SELECT \(text), \($0)" }, within: Self.limit)
        #expect(answers.map { $0.first { $0.text().utf8.count } } == (0..<40).map { _ in 1 << 20 })
    }

    @Test("is given up when its time is over, and is not used again") func late() throws {
        let connection = try connect()
        let error = try #require(throws: StoreError.self) { try connection.run("SELECT pg_sleep(60)", within: .milliseconds(50)) }
        #expect(error.detail == "PostgreSQL: no answer in time")
        #expect(!connection.isUsable)
    }

    @Test("takes a warning at a commit for a failure") func warned() throws {
        let connection = try connect()
        let warning: SQL = "SELECT pg_temp.warn()"
        try connection.run(
            script: "CREATE FUNCTION pg_temp.warn() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'careful'; END $$",
            within: Self.limit)
        try connection.run(warning, within: Self.limit)
        #expect(connection.isUsable)
        #expect(throws: StoreError.self) { try connection.write([warning], within: Self.limit) }
        #expect(!connection.isUsable)
    }

    @Test("quotes nothing of data that the server cannot understand") func quoted() throws {
        let connection = try connect()
        for statement: SQL in ["SELECT \("secret")::bigint", "SELECT \(utf8: Array("secret".utf8) + [0])"] {
            let error = try #require(throws: StoreError.self) { try connection.run(statement, within: Self.limit) }
            #expect(error.detail.hasPrefix("PostgreSQL: a value was refused (22"))
        }
    }

    private func all<Value>(_ connection: Connection, _ sql: SQL, _ read: (inout Row) -> Value) throws -> [Value] {
        try connection.run(sql, within: Self.limit).all { read(&$0) }
    }

    private func one<Value>(_ connection: Connection, _ sql: SQL, _ read: (inout Row) -> Value) throws -> Value {
        try #require(try all(connection, sql, read).first)
    }

    private func connect() throws -> Connection {
        let connection = try Connection(try DatabaseURI(try PostgresServer.shared().uri))
        _ = try connection.prepareSession(within: Self.limit)
        return connection
    }
}
