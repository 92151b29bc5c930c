import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("Backups and checks of a store", .serialized, .timeLimit(.minutes(2)))
struct UpkeepTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path("rooms.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> Program.Remains { try await Program.run(arguments) }

    /// Plays two rounds, and leaves the room in the second.
    private func play(on client: WireClient) async throws -> String {
        let pin = try await client.open(token(1), json: #"{"nickname":"민지"}"#)
        for number in 1...3 { #expect(try await client.submit(pin, token(number), #"{"answers":{"spicy":"like"}}"#).status == 201) }
        for path in ["reveal", "rounds"] { _ = try await client.send("POST", "/v1/rooms/\(pin)/\(path)", token: token(1)) }
        #expect(try await client.submit(pin, token(2), #"{"vetoes":["meat"]}"#).status == 201)
        #expect(try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)
        return pin
    }

    @Test("A backup that was taken while the server ran gives the same rooms, hosts and results, and the server noticed nothing")
    func backup() async throws {
        let server = try await ServerProcess(in: folder)
        let client = try server.client()
        let pin = try await play(on: client)
        let result = try await client.send("GET", "/v1/rooms/\(pin)/result").body
        let writing = try atOncePerform(on: server, pin: pin)
        let backup = try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)")
        #expect(backup.ending == .exit(0), "\(backup.errors)")
        #expect(try await writing.value == 200)
        for name in ["copy", "copy.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        // Another into the same place is refused, and what is there stays.
        let again = try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)")
        #expect(again.ending == .exit(74))
        #expect(again.lines.count == 1)
        try await server.kill()

        let elsewhere = try TemporaryFolder()
        let restored = try await run("restore", folder.path("copy"), "--store", "sqlite:\(elsewhere.path("rooms.sqlite"))")
        #expect(restored.ending == .exit(0), "\(restored.errors)")
        let other = try await ServerProcess(in: elsewhere).client()
        #expect(try await other.send("GET", "/v1/rooms/\(pin)/result").body == result)
        #expect(try await other.send("GET", "/v1/rooms/\(pin)", token: token(1)).json["isHost"]?.bool == true)
        #expect(try await other.send("POST", "/v1/rooms/\(pin)/rounds", token: token(1)).status == 201)
    }

    @Test(
        "A restored room goes on with sequences, revisions and members that nobody has seen, though more had happened than the backup holds"
    )
    func restoredNumbers() async throws {
        let server = try await ServerProcess(in: folder)
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await client.submit(pin, token(1), #"{"answers":{}}"#).status == 201)
        #expect(try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)").ending == .exit(0))
        for number in 2...5 { #expect(try await client.submit(pin, token(number), #"{"answers":{}}"#).status == 201) }
        let seen = try await client.send("GET", "/v1/rooms/\(pin)", token: token(5)).json
        let revision = try await client.send("GET", "/v1/rooms/\(pin)/submission", token: token(5)).json["revision"]?.integer
        try await server.kill()

        let elsewhere = try TemporaryFolder()
        let place = "sqlite:\(elsewhere.path("rooms.sqlite"))"
        #expect(try await run("restore", folder.path("copy"), "--store", place).ending == .exit(0))
        #expect(try await run("check", "--store", place).ending == .exit(0))
        let other = try await ServerProcess(in: elsewhere).client()
        let restored = try await other.send("GET", "/v1/rooms/\(pin)", token: token(1)).json
        #expect(restored["memberCount"]?.integer == 1)
        #expect(try #require(restored["sequence"]?.integer) > #require(seen["sequence"]?.integer))
        let answer = try await other.submit(pin, token(6), #"{"answers":{}}"#)
        #expect(try #require(answer.json["submission"]?["revision"]?.integer) > #require(revision))
        let ids = { (room: JSONValue?) in Set((room?["members"]?.array ?? []).compactMap { $0["id"]?.string }) }
        #expect(ids(seen).intersection(ids(answer.json["room"])) == ids(restored))
    }

    @Test("What the superuser restores belongs to whom the folder does", .enabled(if: geteuid() == 0, "only the superuser may give away"))
    func ownership() async throws {
        try await ServerProcess(in: folder).kill()
        #expect(try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)").ending == .exit(0))
        let elsewhere = try TemporaryFolder()
        chown(elsewhere.url.path, 65_534, 65_534)
        let restored = try await run("restore", folder.path("copy"), "--store", "sqlite:\(elsewhere.path("rooms.sqlite"))")
        #expect(restored.ending == .exit(0), "\(restored.errors)")
        for name in ["rooms.sqlite", "rooms.sqlite.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: elsewhere.path(name))
            #expect(attributes[.ownerAccountID] as? Int == 65_534 && attributes[.groupOwnerAccountID] as? Int == 65_534)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Two hundred renames, one after the other, while something else is done.
    private func atOncePerform(on server: ServerProcess, pin: String) throws -> Task<Int, any Error> {
        let client = try server.client()
        return Task {
            try await onOwnThread {
                try (0..<200).count { number in
                    try client.ask("PUT", "/v1/rooms/\(pin)/members/me", token: token(1), json: #"{"nickname":"\#(number)"}"#).status == 200
                }
            }
        }
    }

    @Test("Nothing is restored over a store, or from what is no backup, and what was begun is taken away")
    func refusals() async throws {
        let server = try await ServerProcess(in: folder)
        _ = try await server.client().open(token(1))
        #expect(try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)").ending == .exit(0))
        #expect(try await run("restore", folder.path("copy"), "--store", "sqlite:\(store)").ending == .exit(74))
        try Data("no database at all, but long enough to be looked at".utf8).write(to: URL(filePath: folder.path("text")))
        try FileManager.default.copyItem(atPath: folder.path("copy.key"), toPath: folder.path("text.key"))
        for (name, target, status) in [("text", "a", Int32(74)), ("nothing", "b", 66)] {
            let remains = try await run("restore", folder.path(name), "--store", "sqlite:\(folder.path(target))")
            #expect(remains.ending == .exit(status))
            #expect(remains.lines.count == 1)
            #expect(!folder.names.contains { $0.hasPrefix(target) && $0.count <= 5 })
        }
        let nothing = try await run("backup", folder.path("c"), "--store", "sqlite:\(folder.path("nothing"))")
        #expect(nothing.ending == .exit(66))
        #expect(nothing.errors.contains("there is no store"))
        #expect(try await run("backup").ending == .exit(64))
        #expect(try await run("backup", "a", "b").ending == .exit(64))
        #expect(try await run("backup", folder.path("x"), "--store", "rooms").ending == .exit(64))
    }

    @Test("The key is where --token-key says, and a store is not backed up or restored with another than its own")
    func keys() async throws {
        let key = folder.path("elsewhere.key")
        let server = try await ServerProcess(in: folder, ["--port", "0", "--token-key", key])
        let pin = try await server.client().open(token(1))
        try await server.kill()
        let place = "sqlite:\(store)"
        #expect(try await run("backup", folder.path("copy"), "--store", place).errors.contains("is missing"))
        #expect(try await run("backup", folder.path("copy"), "--store", place, "--token-key", key).ending == .exit(0))
        #expect(try Data(contentsOf: URL(filePath: folder.path("copy.key"))) == Data(contentsOf: URL(filePath: key)))
        // Another key beside the store, as of one that stood there before.
        try Data(repeating: 7, count: 32).write(to: URL(filePath: store + ".key"))
        chmod(store + ".key", 0o600)
        let wrong = try await run("backup", folder.path("wrong"), "--store", place)
        #expect(wrong.ending == .exit(74))
        #expect(wrong.errors.contains("token key"))
        #expect(!folder.names.contains { $0.hasPrefix("wrong") })

        let elsewhere = try TemporaryFolder()
        let other = elsewhere.path("other.key")
        let restored = try await run(
            "restore", folder.path("copy"), "--store", "sqlite:\(elsewhere.path("rooms.sqlite"))", "--token-key", other)
        #expect(restored.ending == .exit(0), "\(restored.errors)")
        let client = try await ServerProcess(in: elsewhere, ["--port", "0", "--token-key", other]).client()
        #expect(try await client.send("GET", "/v1/rooms/\(pin)", token: token(1)).json["isHost"]?.bool == true)
    }

    @Test("A store that was killed and moved away without its log is whole again once it is put back, whatever was restored meanwhile")
    func movedAway() async throws {
        let server = try await ServerProcess(in: folder)
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await run("backup", folder.path("copy"), "--store", "sqlite:\(store)").ending == .exit(0))
        for number in 2...5 { #expect(try await client.submit(pin, token(number), #"{"answers":{}}"#).status == 201) }
        try await server.kill()
        for suffix in ["", ".key"] { rename(store + suffix, folder.path("away" + suffix)) }
        let restored = try await run("restore", folder.path("copy"), "--store", "sqlite:\(store)")
        #expect(restored.ending == .exit(74))
        #expect(restored.errors.contains("-wal is there already"))
        for suffix in ["", ".key"] { rename(folder.path("away" + suffix), store + suffix) }
        let room = try await ServerProcess(in: folder).client().send("GET", "/v1/rooms/\(pin)").json
        #expect(room["submissionCount"]?.integer == 4)
    }

    @Test("A whole store has no faults, while a server uses it and after it was killed")
    func whole() async throws {
        let server = try await ServerProcess(in: folder)
        _ = try await play(on: server.client())
        for isKilled in [false, true] {
            if isKilled { try await server.kill() }
            let check = try await run("check", "--store", "sqlite:\(store)")
            #expect(check.ending == .exit(0), "\(check.errors)")
            #expect(check.text == "sqlite:\(store): 1 rooms, 2 results, no faults\n")
        }
    }

    @Test("A result that was meddled with, a broken file and another key are each found")
    func damaged() async throws {
        let server = try await ServerProcess(in: folder)
        _ = try await play(on: server.client())
        try await server.kill()
        #expect(try await run("check", "--store", "sqlite:\(store)").ending == .exit(0))
        try await expectFault("comes out otherwise") { path in
            try SQLiteTampering.run("UPDATE result SET outcome = replace(outcome, '\"playerCount\":3', '\"playerCount\":4')", on: path)
        }
        try await expectFault("comes out otherwise") { path in
            try SQLiteTampering.run("UPDATE result SET ballots = replace(ballots, 'like', 'dislike') WHERE round = 1", on: path)
        }
        try await expectFault("refers to one that is not there") { path in
            try SQLiteTampering.run("DELETE FROM member WHERE number = 2", on: path)
        }
        try await expectFault("not the one that the members are known under") { path in
            try Data(repeating: 7, count: 32).write(to: URL(filePath: path + ".key"))
        }
        try await expectFault("malformed") { path in
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: 8192)
            try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
            try file.close()
        }
        #expect(try await run("check", "--store", "sqlite:\(folder.path("nothing"))").ending == .exit(66))
    }

    /// That `hansang check` finds what `body` does to a copy of the store.
    private func expectFault(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (String) throws -> Void
    ) async throws {
        let copies = try TemporaryFolder()
        let path = copies.path("copy")
        #expect(try await run("backup", path, "--store", "sqlite:\(store)").ending == .exit(0), sourceLocation: sourceLocation)
        try body(path)
        let check = try await run("check", "--store", "sqlite:\(path)")
        #expect(check.ending == .exit(65), "\(check.errors)", sourceLocation: sourceLocation)
        #expect(check.lines.count >= 2, sourceLocation: sourceLocation)
        #expect(check.errors.contains(words), "\(check.errors)", sourceLocation: sourceLocation)
    }
}
