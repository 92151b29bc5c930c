import JSON
import TestSupport
import Testing

@Suite("Coming back to a stream", .serialized, .timeLimit(.minutes(2)))
struct ResumeTests {
    @Test("After a cut and three changes it goes on without a gap and without a repetition, where a poll is too")
    func cut() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        var last: JSONValue?
        do {
            let stream = try await server.client().events(of: pin, token: token(2))
            _ = try await phone.join(pin, token(2))
            last = try await stream.nextEvent { $0["memberCount"]?.integer == 2 }["sequence"]
        }
        for number in 3...5 { _ = try await phone.join(pin, token(number)) }
        let seen = try #require(last?.integer)
        let stream = try await server.client().events(of: pin, token: token(2), lastEventID: "\(seen)")
        #expect(try await stream.nextBlock() == .retry(2000))
        let resumed = try await stream.nextEvent()
        #expect(try #require(resumed["sequence"]?.integer) == seen + 3)
        #expect(state(resumed) == state(try await phone.send("GET", "/v1/rooms/\(pin)", token: token(2)).json))
        _ = try await phone.join(pin, token(6))
        #expect(try await stream.nextEvent()["sequence"]?.integer == seen + 4)
    }

    @Test("Who knows the present state is not told it again; who knows any other, or says nothing that makes sense, is")
    func lastEventID() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        let sequence = try #require(try await phone.join(pin, token(2)).json["sequence"]?.integer)
        let knowing = try await server.client().events(of: pin, lastEventID: "\(sequence)")
        #expect(try await knowing.nextBlock() == .retry(2000))
        #expect(try await knowing.nextBlock() == .comment)
        for other in [
            "\(sequence - 1)", "\(sequence + 1)", "99999999999999999999999", "-1", "+\(sequence)", "x", "\(sequence), \(sequence)", "",
        ] {
            let stream = try await server.client().events(of: pin, lastEventID: other)
            #expect(try await stream.nextBlock() == .retry(2000))
            #expect(try await stream.nextEvent()["sequence"]?.integer == sequence)
        }
        _ = try await phone.join(pin, token(3))
        #expect(try await knowing.nextEvent()["sequence"]?.integer == sequence + 1)
    }

    @Test("An app that was killed comes back as the member that it was, and sees what it had handed in")
    func killedApp() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        do {
            let app = try server.client()
            _ = try await app.submit(pin, token(2), #"{"answers":{"rich":"like"}}"#)
            // Gone in the middle of a stream that nobody reads.
            _ = try await app.events(of: pin, token: token(2))
        }
        _ = try await phone.join(pin, token(3))
        let stream = try await server.client().events(of: pin, token: token(2))
        let room = try await stream.nextEvent()
        #expect(room["isMember"]?.bool == true)
        #expect(room["hasSubmitted"]?.bool == true)
        #expect(room["memberCount"]?.integer == 3)
        #expect(try await phone.send("GET", "/v1/rooms/\(pin)/submission", token: token(2)).json["answers"]?["rich"]?.string == "like")
    }

    @Test("A stop ends streams as they should end; after the start they go on where they were, and tags still hold")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try LiveServer(in: folder)
        let phone = try first.client()
        let pin = try await phone.open(token(1))
        let stream = try await first.client().events(of: pin, token: token(1))
        let before = try await stream.nextEvent()
        let tag = try #require(try await phone.send("GET", "/v1/rooms/\(pin)", token: token(1))["ETag"])
        await first.stop()
        // The server is over, and not the room: so the client comes back.
        #expect(try await stream.blocks().allSatisfy { $0 == .comment })

        let second = try LiveServer(in: folder)
        let again = try second.client()
        let sequence = try #require(before["sequence"]?.integer)
        #expect(try await again.send("GET", "/v1/rooms/\(pin)", token: token(1), fields: ["If-None-Match: \(tag)"]).status == 304)
        let resumed = try await second.client().events(of: pin, token: token(1), lastEventID: "\(sequence)")
        #expect(try await resumed.nextBlock() == .retry(2000))
        #expect(try await resumed.nextBlock() == .comment)
        let joined = try await again.join(pin, token(2)).json
        #expect(try #require(joined["sequence"]?.integer) > sequence)
        #expect(try await resumed.nextEvent()["sequence"] == joined["sequence"])
        #expect(try await again.send("GET", "/v1/rooms/\(pin)", token: token(1), fields: ["If-None-Match: \(tag)"]).status == 200)
    }
}
