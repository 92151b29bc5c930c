import MenuGame
import TestSupport
import Testing
import UseCases

@Suite("A reveal") struct RevealTests {
    @Test("comes by the clock, whoever looks first, and is written down once") func deadline() async throws {
        let table = try Table()
        let deadline = table.clock.now.advanced(by: 1000)
        let pin = try await table.open(revealWhen: RevealPolicy(host: false, deadline: true), deadlineAt: deadline).pin
        try await table.submit(to: pin, by: 2)
        table.clock.advance(by: 999)
        #expect(try await table.read(pin).phase == .open)
        table.clock.advance(by: 1)
        await expect(.refused(.alreadyRevealed)) { try await table.submit(to: pin, by: 3) }
        let room = try await table.read(pin)
        #expect(room.result?.outcome.playerCount == 1)
        #expect(try await table.read(pin).sequence == room.sequence)
        #expect(table.store[pin] == RoomRecord(room))
    }

    @Test("does not come at a deadline before which nobody has answered; the room stays open, and the host may ask") func emptyDeadline()
        async throws
    {
        let table = try Table()
        let deadline = table.clock.now.advanced(by: 1000)
        let pin = try await table.open(revealWhen: RevealPolicy(host: false, deadline: true), deadlineAt: deadline).pin
        table.clock.advance(by: 2000)
        #expect(try await table.read(pin).phase == .open)
        #expect(try await table.join(pin, as: 2).room.phase == .open)
        #expect(try await table.submit(to: pin, by: 2).room.room.phase == .open)
        await expect(.refused(.notHost)) { try await table.reveal(pin, by: 2) }
        #expect(try await table.reveal(pin, by: 1).revealedAt == table.clock.now)
    }

    @Test("is of the instant of its deadline, however late somebody looks") func deadlineInstant() async throws {
        let table = try Table()
        let deadline = table.clock.now.advanced(by: 1000)
        let pin = try await table.open(revealWhen: RevealPolicy(deadline: true), deadlineAt: deadline).pin
        _ = try await table.submit(to: pin, by: 1)
        table.clock.advance(by: 29_000)
        // Whatever comes first, it finds the room revealed.
        await expect(.refused(.alreadyRevealed)) { try await table.submit(to: pin, by: 2) }
        #expect(try await table.read(pin).result?.revealedAt == deadline)
        #expect(try await table.read(pin).result?.outcome.playerCount == 1)
    }

    @Test("comes by the clock in a later round, too, where that has a deadline of its own") func laterDeadline() async throws {
        let table = try Table()
        let pin = try await table.open(
            revealWhen: RevealPolicy(host: false, deadline: true), deadlineAt: table.clock.now.advanced(by: 1000)
        ).pin
        try await table.submit(to: pin, by: 1)
        table.clock.advance(by: 1000)
        #expect(try await table.read(pin).phase == .revealed)
        await expect(.refused(.badDeadline)) { try await table.beginRound(in: pin, deadlineAt: table.clock.now) }
        let deadline = table.clock.now.advanced(by: 500)
        #expect(try await table.beginRound(in: pin, deadlineAt: deadline).deadlineAt == deadline)
        try await table.submit(to: pin, by: 1)
        table.clock.advance(by: 499)
        #expect(try await table.read(pin).phase == .open)
        table.clock.advance(by: 1)
        let room = try await table.read(pin)
        #expect(room.round == 2 && room.result?.revealedAt == deadline)
        // That is over, and a round without one is the host's to reveal.
        #expect(try await table.beginRound(in: pin).deadlineAt == nil)
        try await table.submit(to: pin, by: 1)
        #expect(try await table.read(pin).phase == .open)
        #expect(try await table.reveal(pin).round == 3)
    }

    @Test("comes when enough have answered") func enough() async throws {
        let table = try Table()
        let pin = try await table.open(revealWhen: RevealPolicy(submissions: 2)).pin
        #expect(try await table.submit(to: pin, by: 1).room.room.phase == .open)
        #expect(try await table.submit(to: pin, by: 1).room.room.phase == .open)
        #expect(try await table.submit(to: pin, by: 2).room.room.phase == .revealed)
        await expect(.refused(.alreadyRevealed)) { try await table.submit(to: pin, by: 3) }
    }

    @Test("is for those to ask for whom the room allows it") func allowed() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        await expect(.refused(.noSubmissions)) { try await table.reveal(pin) }
        try await table.submit(to: pin, by: 2)
        await expect(.refused(.notHost)) { try await table.reveal(pin, by: 2) }
        await expect(.refused(.notHost)) { try await table.reveal(pin, by: 3) }
        let result = try await table.reveal(pin)
        #expect(try await table.reveal(pin) == result)

        let any = try await table.open(revealWhen: RevealPolicy(host: false, anyMember: true)).pin
        try await table.submit(to: any, by: 2)
        await expect(.refused(.notMember)) { try await table.reveal(any, by: 3) }
        #expect(try await table.reveal(any, by: 2).outcome.playerCount == 1)
    }

    @Test("counts exactly the answers that were taken", arguments: 0..<10)
    func race(round: Int) async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try await table.submit(to: pin, by: 1)
        let (accepted, results) = await withTaskGroup(of: (accepted: Bool, result: RoundResult?).self) { group in
            for token in 2...60 {
                group.addTask { ((try? await table.submit(to: pin, by: token)) != nil, nil) }
                if token % 10 == 0 { group.addTask { (false, try? await table.reveal(pin)) } }
            }
            return await group.reduce(into: (accepted: 1, results: [RoundResult]())) { sum, one in
                if one.accepted { sum.accepted += 1 }
                if let result = one.result { sum.results.append(result) }
            }
        }
        #expect(results.count == 6)
        #expect(Set(results).count == 1)
        let result = try #require(results.first)
        #expect(result.outcome.playerCount == accepted)
        #expect(result.ballots.count == accepted)
        #expect(try await table.read(pin).submissionCount == accepted)
        #expect(table.store[pin]?.results == [result])
    }

    @Test("that could not be stored has not happened") func failing() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try await table.submit(to: pin, by: 2)
        table.store.fail(.failed)
        await expect(.storeUnavailable) { try await table.reveal(pin) }
        #expect(try await table.read(pin).phase == .open)
        try await table.submit(to: pin, by: 3)
        #expect(try await table.reveal(pin).outcome.playerCount == 2)
    }
}
