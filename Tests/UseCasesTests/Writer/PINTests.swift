import MenuGame
import Testing
import UseCases

@Suite("A room's PIN") struct PINTests {
    @Test("is its own among many openings at once, and the last is found") func parallelOpenings() async throws {
        let table = try Table(pinSpace: PINSpace(first: 10), pinSpaceGrows: false)
        let results = await withTaskGroup(of: Result<PIN, any Error>.self) { group in
            for host in 1...50 {
                group.addTask {
                    do { return .success(try await table.open(by: host).pin) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let pins = results.compactMap { try? $0.get() }
        #expect(pins.count == 10)
        #expect(Set(pins) == Set((0..<10).compactMap { PIN("00000\($0)") }))
        for case .failure(let error) in results { #expect(error as? Failure == .noFreePIN) }
        for pin in pins { #expect(try await table.read(pin).pin == pin) }
    }

    @Test("is drawn again where somebody else was faster, and is refused in the end where they always are") func claimed() async throws {
        let table = try Table()
        table.store.fail(.claimed, .claimed)
        let room = try await table.open()
        #expect(table.store[room.pin]?.id == room.id)
        table.store.fail(.claimed, .claimed, .claimed, .claimed, .claimed, .claimed, .claimed, .claimed)
        await expect(.storeUnavailable) { try await table.open() }
        #expect(try await table.open(by: 3).members.count == 1)
    }

    @Test("has a digit more where too many of a length are live") func crowded() async throws {
        // More than one in a hundred: the third room finds two.
        let table = try Table(pinSpace: PINSpace(first: 100))
        #expect(try await [table.open().pin.digits, table.open().pin.digits, table.open().pin.digits] == [6, 6, 7])
        table.clock.advance(by: 60_000)
        #expect(await table.sweep() == 3)
        #expect(try await table.open().pin.digits == 6)
    }

    @Test("is free again when the room has expired, whether or not it was swept", arguments: [true, false])
    func expired(isSwept: Bool) async throws {
        let table = try Table(pinSpace: PINSpace(first: 1), pinSpaceGrows: false)
        let old = try await table.open()
        await expect(.noFreePIN) { try await table.open() }
        table.clock.advance(by: 59_999)
        #expect(try await table.read(old.pin).id == old.id)
        table.clock.advance(by: 1)
        await expect(.roomNotFound) { try await table.read(old.pin) }
        await expect(.roomNotFound) { try await table.submit(to: old.pin, by: 1) }
        await expect(.roomNotFound) { try await table.leave(old.pin, as: 1) }
        if isSwept { #expect(await table.sweep() == 1) }
        let new = try await table.open(by: 2)
        #expect(new.pin == old.pin && new.id != old.id)
        #expect(try await table.read(old.pin).id == new.id)
        #expect(try await table.read(old.pin).member(Table.token(1)) == nil)
    }

    @Test("that nobody has is not found, loaded or not") func unknown() async throws {
        let table = try Table()
        let pin = try #require(PIN("123456"))
        await expect(.roomNotFound) { try await table.read(pin) }
        await expect(.roomNotFound) { try await table.join(pin, as: 1) }
        await expect(.roomNotFound) { try await table.reveal(pin) }
    }

    @Test("is swept with its room, however many have expired") func sweeps() async throws {
        let table = try Table()
        for host in 1...250 { _ = try await table.open(by: host) }
        #expect(await table.sweep() == 0)
        table.clock.advance(by: 60_000)
        let lasting = try await table.open()
        #expect(await table.sweep() == 250)
        #expect(table.store.with(\.rooms.count) == 1)
        #expect(try await table.read(lasting.pin).id == lasting.id)
    }
}
