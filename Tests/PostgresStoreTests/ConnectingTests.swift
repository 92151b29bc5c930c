import Foundation
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("The address of a PostgreSQL store", .sharesPostgres, .blocks) struct ConnectingTests {
    @Test(
        "is shown without whom and what it is entered with",
        arguments: [
            ("postgres://me:secret@db.example:5433/game", "postgres://db.example:5433/game"),
            ("postgresql://db.example/game?password=secret", "postgres://db.example/game"),
            ("postgres://me@one,two:5433/game?target_session_attrs=primary", "postgres://one,two:5433/game"),
            ("postgres://me:secret@[::1]:5432/game", "postgres://[::1]:5432/game"), ("postgres://", "postgres://"),
            ("postgres:///game?host=/run/postgresql", "postgres:///run/postgresql/game"),
            ("postgres://me:se%40cr%2Fet@db.example/game?sslmode=verify-full", "postgres://db.example/game"),
        ])
    func description(text: String, shown: String) throws {
        let uri = try DatabaseURI(text)
        #expect(uri.description == shown)
        #expect("\(uri) \(String(reflecting: uri))".contains("secret") == false)
        #expect(!uri.redact("one\n\ttwo secret").contains(text.contains("secret") ? "secret" : "\n"))
    }

    @Test(
        "is refused where it is none, and nothing of a password is quoted",
        arguments: [
            "sqlite:rooms", "host=db.example password=secret", "postgres://me:sec@ret@db.example/game",
            "postgres://me:sec/ret@db.example/game",
            "postgres://me:%zzsecret@db.example/game", "postgres://me:%00secret@db.example/game", "postgres://me:secret@[::1/game",
            "postgres://me:secret@db.example/game?secret=1", "postgres://me:secret@db.example/game?sslmode",
        ])
    func refused(text: String) throws {
        let error = try #require(throws: StoreError.self) { try DatabaseURI(text) }
        #expect(error.detail.hasPrefix("the store's address") || error.detail.hasPrefix("in the store's address"))
        for part in ["secret", "sec", "ret@", "db.example", "%"] where part != "%" { #expect(!error.detail.contains(part)) }
    }

    @Test("says what is wrong where it leads nowhere, and never the password") func nowhere() throws {
        let server = try PostgresServer.shared()
        let parts = try #require(URLComponents(string: server.uri))
        let (password, port) = (try #require(parts.password), try #require(parts.port))
        func address(password: String = password, port: Int = port, database: String = "hansang", query: String = "") -> String {
            "postgres://hansang:\(password)@127.0.0.1:\(port)/\(database)\(query)"
        }
        let cases = [
            (address(password: "wrong-secret"), "password authentication failed for user \"hansang\""),
            (address(database: "missing"), "database \"missing\" does not exist"), (address(port: 1), "Connection refused"),
            (address(query: "?sslmode=perhaps"), "invalid sslmode value"),
            (address(query: "?sslmode=require"), "server does not support SSL"),
            (address(query: "?target_session_attrs=standby"), "server is not in hot standby mode"),
            (address(query: "?options=-csearch_path%3Dmissing"), "there is no schema of those that search_path names"),
            ("postgres://hansang:\(password)@/hansang?host=/nowhere", "No such file or directory"),
        ]
        for (uri, reason) in cases {
            let error = try #require(throws: StoreError.self) { try PostgresStore(uri: uri) }
            #expect(error.detail.contains(reason) && error.detail.hasPrefix("postgres://"), "\(error.detail)")
            #expect(!error.detail.contains(password) && !error.detail.contains("wrong-secret") && !error.detail.contains("\n"))
        }
    }

    @Test("may have several hosts, of which one takes writes") func severalHosts() throws {
        let schema = try PostgresServer.shared().schema()
        let uri = schema.uri.replacingOccurrences(of: "@", with: "@127.0.0.1:1,")
        let store = try PostgresStore(uri: uri)
        defer { store.close() }
        #expect(store.isWritable())
        #expect(store.description.hasPrefix("postgres://127.0.0.1:1,127.0.0.1:"))
    }

    @Test("leads to a database of which the encoding is UTF-8") func encoding() throws {
        let server = try PostgresServer.shared()
        let name = "latin_\(UInt32.random(in: 0 ... .max))"
        try server.run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        defer { _ = try? server.run("DROP DATABASE \(name) WITH (FORCE)") }
        let error = try #require(throws: StoreError.self) {
            try PostgresStore(uri: String(server.uri.dropLast("hansang".count)) + name)
        }
        #expect(error.detail.hasSuffix("the database's encoding is LATIN1, and UTF8 is needed"))
    }

    @Test("does not lead to a server that would forget what it has acknowledged, and one that waits for less is told to wait")
    func durable()
        async throws
    {
        let server = try await PostgresServer.started()
        let schema = try server.schema()
        for name in ["fsync", "full_page_writes"] {
            try server.set(name, "off")
            #expect(try await eventually(within: patience) { try server.run("SHOW \(name)") == ["off"] })
            let error = try #require(throws: StoreError.self) { try PostgresStore(uri: schema.uri) }
            #expect(error.detail.hasSuffix("the server has \(name) off and would lose or damage what it has acknowledged"))
            try server.set(name, "on")
            #expect(try await eventually(within: patience) { try server.run("SHOW \(name)") == ["on"] })
        }
        for (level, used) in [("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply")] {
            try server.run("ALTER ROLE hansang SET synchronous_commit = \(level)")
            let store = try PostgresStore(uri: schema.uri)
            defer { store.close() }
            #expect(try store.commits { connection throws(StoreError) in try connection.setting("synchronous_commit") } == used)
            #expect(try store.write { connection throws(StoreError) in try connection.setting("synchronous_commit") } == used)
            #expect(try store.commits { connection throws(StoreError) in try connection.setting("statement_timeout") } == "0")
        }
    }

    @Test("may ask for stricter isolation or a quieter server: ours are as they have to be") func otherDefaults() throws {
        let schema = try PostgresServer.shared().schema()
        let uri =
            schema.uri + "&options=-csearch_path%3D\(schema.name)%20-cdefault_transaction_isolation%3Dserializable"
            + "%20-cclient_min_messages%3Derror%20-cdefault_transaction_deferrable%3Don%20-cbytea_output%3Descape%20-cDateStyle%3DGerman"
        let store = try PostgresStore(uri: uri)
        defer { store.close() }
        try store.keepSample()
        var room = Sample.room("r_1", pin: try Sample.pin(1))
        try store.create(&room)
        try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
        #expect(try store.commits { connection throws(StoreError) in try connection.setting("client_min_messages") } == "warning")
        let isolation: SQL = "SELECT current_setting('transaction_isolation')"
        let used = try store.commits { connection throws(StoreError) in
            try connection.write([isolation], within: .seconds(10)).first?.first { $0.text() }
        }
        #expect(used == "read committed")
    }
}

extension PostgresServer {
    fileprivate func set(_ name: String, _ value: String) throws {
        try run("ALTER SYSTEM SET \(name) = '\(value)'")
        try run("SELECT pg_reload_conf()")
    }
}

extension Connection {
    fileprivate func setting(_ name: String) throws(StoreError) -> String {
        try run("SELECT current_setting(\(name))", within: .seconds(10)).first { $0.text() } ?? ""
    }
}
