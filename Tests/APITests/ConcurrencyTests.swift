import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Many at once")
struct ConcurrencyTests {
    @Test("Fifty different submissions with one token leave one, and it is one of them")
    func oneToken() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        let options = ["rice", "noodle", "soup"]
        let sheets = (0..<50).map { number in
            let staple = options.indices.filter { number >> $0 & 1 == 1 }.map { "\"\(options[$0])\"" }.joined(separator: ",")
            return #"{"answers":{"hangover":"\#(number % 2 == 0 ? "like" : "dislike")","staple":[\#(staple)]}}"#
        }
        let statuses = await withTaskGroup { group in
            for sheet in sheets { group.addTask { await server.submit(pin, token(2), sheet).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 201 } == 1)
        #expect(statuses.count { $0 == 200 } == 49)
        let room = await server.send(.get, "/v1/rooms/\(pin)")
        #expect(room.json["submissionCount"]?.integer == 1)
        #expect(room.json["memberCount"]?.integer == 2)
        let stored = await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(2))
        #expect(stored.json["revision"]?.integer == 50)
        let answers = try #require(stored.json["answers"])
        #expect(try sheets.map { try JSONValue(parsing: Array($0.utf8))["answers"] }.contains(answers))
    }

    @Test("Two hundred members submit to each of two rooms, and all two hundred are in each")
    func twoRooms() async throws {
        let server = try TestServer()
        let pins = [try await server.open(token(0)), try await server.open(token(0))]
        await withTaskGroup { group in
            for number in 1...200 {
                for pin in pins { group.addTask { #expect(await server.submit(pin, token(number), "{}").status == 201) } }
            }
        }
        for pin in pins {
            let room = await server.send(.get, "/v1/rooms/\(pin)")
            #expect(room.json["submissionCount"]?.integer == 200)
            #expect(room.json["memberCount"]?.integer == 201)
        }
    }

    @Test("Those of a hundred racing submissions that were accepted are exactly those that the reveal counted")
    func racingReveal() async throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let server = try TestServer(seed: seed)
            let pin = try await server.open(token(0))
            _ = await server.submit(pin, token(0), "{}")
            let outcome = await withTaskGroup { group in
                for number in 1...100 {
                    group.addTask { await server.submit(pin, token(number), #"{"answers":{"rich":"like"}}"#).status }
                    if number == 50 { group.addTask { await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(0)).status } }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(outcome[200] == 1)
            #expect((outcome[201] ?? 0) + (outcome[409] ?? 0) == 100)
            let result = await server.send(.get, "/v1/rooms/\(pin)/result")
            #expect(result.json["playerCount"]?.integer == Int64((outcome[201] ?? 0) + 1))
        }
    }

    @Test("With ten PINs, fifty creations at once give ten rooms and forty times the news that none is free")
    func scarcePINs() async throws {
        let server = try TestServer(pinSpace: PINSpace(first: 10), pinSpaceGrows: false)
        let answers = await withTaskGroup { group in
            for number in 1...50 { group.addTask { await server.send(.post, "/v1/rooms", token: token(number)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let pins = answers.compactMap { $0.json["pin"]?.string }
        #expect(Set(pins) == Set((0..<10).map { "00000\($0)" }))
        #expect(pins.count == 10)
        let refused = answers.filter { $0.status == 503 }
        #expect(refused.count == 40)
        #expect(refused.allSatisfy { $0.code == "no-free-pin" && $0["Retry-After"] != nil })
        // An ended room's PIN is free again.
        server.clock.advance(by: 24 * 60 * 60 * 1000)
        #expect(try await PIN(server.open(token(1))) != nil)
    }

    @Test("The five hundred and first member is told that the room is full, and nobody is lost")
    func fullRoom() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(0))
        await withTaskGroup { group in
            for number in 1..<500 {
                group.addTask { #expect(await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(number)).status == 201) }
            }
        }
        #expect(await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(500)).code == "room-full")
        #expect(await server.submit(pin, token(500), "{}").code == "room-full")
        #expect(await server.submit(pin, token(499), "{}").status == 201)
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["memberCount"]?.integer == 500)
    }
}
