import JSON
import MenuGame
import TestSupport
import Testing

@testable import hansang

@Suite("Servers at one database", .sharesPostgres, .serialized, .timeLimit(.minutes(3)))
struct ClusterTests {
    @Test("A room that was opened at one is there at the other, at once and every time")
    func everywhereAtOnce() async throws {
        let cluster = try Cluster()
        let (here, there) = (try cluster.nodes[0].client(), try cluster.nodes[1].client())
        for _ in 1...100 {
            let pin = try await here.open(token(1))
            #expect(try await there.join(pin, token(2)).status == 201)
            #expect(try await here.submit(pin, token(2)).status == 201)
            // A change of one's own is seen wherever one asks next.
            #expect(try await there.send("GET", "/v1/rooms/\(pin)", token: token(2)).json["hasSubmitted"] == .bool(true))
        }
    }

    @Test("A game goes over both, and its result is the same bytes at either")
    func oneGame() async throws {
        let cluster = try Cluster()
        let (here, there) = (try cluster.nodes[0].client(), try cluster.nodes[1].client())
        let pin = try await here.open(token(0), json: #"{"nickname":"민지"}"#)
        let stream = try await cluster.nodes[1].client().events(of: pin)
        for (number, answers) in [#"{"answers":{"spicy":"like"}}"#, #"{"vetoes":["seafood"]}"#, "{}"].enumerated() {
            #expect(try await (number.isMultiple(of: 2) ? here : there).submit(pin, token(number), answers).status == 201)
        }
        #expect(try await stream.nextEvent { $0["submissionCount"]?.integer == 3 }["phase"]?.string == "open")
        let revealed = try await here.send("POST", "/v1/rooms/\(pin)/reveal", token: token(0))
        #expect(revealed.status == 200)
        for client in [here, there] { #expect(try await client.send("GET", "/v1/rooms/\(pin)/result").body == revealed.body) }
        #expect(try await stream.nextEvent { $0["phase"]?.string == "revealed" }["submissionCount"]?.integer == 3)
        #expect(try await there.send("POST", "/v1/rooms/\(pin)/reveal", token: token(0)).body == revealed.body)

        // When it is closed at one, whoever listens at the other hears the end.
        #expect(try await here.send("DELETE", "/v1/rooms/\(pin)", token: token(0)).status == 204)
        #expect(try await stream.nextBlock() == .end)
        #expect(try await stream.nextBlock() == nil)
        #expect(try await there.send("GET", "/v1/rooms/\(pin)").code == "room-not-found")
    }

    @Test("Five hundred members submit to one room through four servers at once, and five hundred are in it")
    func fiveHundred() async throws {
        let cluster = try Cluster(4)
        let pin = try await cluster.nodes[0].client().open(token(0))
        // Ten phones at each server, one after the other on each connection.
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for phone in 0..<40 {
                let client = try cluster.nodes[phone % 4].client()
                group.addTask {
                    var accepted = 0
                    for number in stride(from: phone + 1, to: 500, by: 40) where try await client.submit(pin, token(number)).status == 201 {
                        accepted += 1
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 499)
        #expect(try await cluster.nodes[3].client().submit(pin, token(0)).status == 201)
        for node in cluster.nodes {
            let room = try await node.client().send("GET", "/v1/rooms/\(pin)").json
            #expect(room["submissionCount"]?.integer == 500)
            #expect(room["memberCount"]?.integer == 500)
            // The opening, and for each one that they joined and that they submitted.
            #expect(room["sequence"]?.integer == 1000)
        }
    }

    @Test("What was asked of both under one key was done once, and both say the same")
    func keys() async throws {
        let cluster = try Cluster()
        for number in 0..<20 {
            let answers = try await withThrowingTaskGroup(of: WireAnswer.self) { group in
                for node in cluster.nodes + cluster.nodes {
                    let client = try node.client()
                    group.addTask {
                        try await client.send(
                            "POST", "/v1/rooms", token: token(1), json: #"{"nickname":"민지"}"#,
                            fields: ["Idempotency-Key: \"key-\(number)\""])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 })
            #expect(Set(answers.map(\.body)).count == 1)
        }
        #expect(try cluster.schema.run("SELECT count(*) FROM room") == ["20"])
    }

    @Test("A room is revealed at its deadline though nobody looks at it, once")
    func deadline() async throws {
        let clock = TestClock()
        let cluster = try Cluster(clock: clock)
        let client = try cluster.nodes[0].client()
        let deadline = clock.now.milliseconds + 10_000
        let pin = try await client.open(token(1), json: #"{"deadlineAt":\#(deadline),"revealWhen":{"host":false,"deadline":true}}"#)
        #expect(try await client.submit(pin, token(2)).status == 201)
        clock.advance(by: 10_000)
        #expect(try await eventually { (try? cluster.schema.run("SELECT revealed_at FROM result")) == ["\(deadline)"] })
    }

    @Test("A server with another key is not let in, and one that has none says where to get it")
    func keyFile() throws {
        let cluster = try Cluster(1)
        let elsewhere = try TemporaryFolder()
        let refusal = #expect(throws: Application.StartError.self) { try Cluster.node(at: cluster.schema, in: elsewhere) }
        #expect(refusal?.description.contains("token.key is missing") == true)
        let other = try TemporaryFolder()
        let new = try PostgresServer.shared().schema()
        _ = try Cluster.node(at: new, in: other)
        #expect(throws: Application.StartError.self) { try Cluster.node(at: cluster.schema, in: other) }
    }
}
