import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

@Suite("A command with a key") struct ReceiptTests {
    private func wish(_ key: String, request: Int = 0, owner: Int = 1) -> ReceiptWish {
        ReceiptWish(key: ReceiptKey(owner: Table.token(owner), key: key), request: Table.token(request))
    }

    /// Opens a room; the answer is its PIN.
    private func opening(_ wish: ReceiptWish, at table: Table) -> Pending<Result<String, Failure>> {
        Pending { completion in
            table.rooms.open(
                by: wish.key.owner, nickname: nil, revealWhen: RevealPolicy(), deadlineAt: nil,
                answering: Answering(
                    wish, write: { Array(((try? $0.get())?.room.pin.text ?? "refused").utf8) },
                    give: { completion(.success(String(decoding: $0, as: UTF8.self))) },
                    failed: { completion(.failure($0)) }))
        }
    }

    private func open(_ wish: ReceiptWish, at table: Table) async throws -> String { try await opening(wish, at: table).answer.get() }

    private func revealing(_ pin: PIN, _ wish: ReceiptWish, at table: Table) -> Pending<Result<String, Failure>> {
        Pending { completion in
            table.rooms.reveal(
                pin, by: wish.key.owner,
                answering: Answering(
                    wish, write: { Array(((try? $0.get()).map { "\($0.round) \($0.sequence)" } ?? "refused").utf8) },
                    give: { completion(.success(String(decoding: $0, as: UTF8.self))) }, failed: { completion(.failure($0)) }))
        }
    }

    /// Plays alone; the answer is the seed.
    private func play(_ key: String, at table: Table) async throws -> String {
        let sheet = try AnswerSheet(Table.soup, in: table.rooms.catalogue)
        return try await Pending<Result<String, Failure>> { completion in
            table.rooms.playSolo(
                sheet, in: table.rooms.catalogue,
                answering: Answering(
                    wish(key), write: { Array(((try? $0.get())?.0.seed ?? "refused").utf8) },
                    give: { completion(.success(String(decoding: $0, as: UTF8.self))) }, failed: { completion(.failure($0)) }))
        }.answer.get()
    }

    @Test("is carried out once, however often it comes, one after the other or all at once") func once() async throws {
        let table = try Table()
        let first = try await open(wish("a"), at: table)
        #expect(try await open(wish("a"), at: table) == first)
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let many = (0..<10).map { _ in opening(wish("b"), at: table) }
        table.store.gate.signal()
        var pins: Set<String> = []
        for opened in many { pins.insert(try await opened.answer.get()) }
        #expect(pins.count == 1)
        #expect(table.store.with(\.rooms.count) == 2)
        // Whoever looks before they ask finds the same.
        let kept = Pending { table.rooms.answer(keptFor: wish("a"), completion: $0) }
        #expect(try await kept.answer.get() == Array(first.utf8))
    }

    @Test("is another's where the key or the device is, and no key serves two requests") func keys() async throws {
        let table = try Table()
        let pins = Set(
            [
                try await open(wish("a"), at: table), try await open(wish("A"), at: table), try await open(wish("a", owner: 2), at: table),
            ])
        #expect(pins.count == 3)
        await expect(.idempotencyKeyReused) { try await open(wish("a", request: 1), at: table) }
        let kept = Pending { table.rooms.answer(keptFor: wish("a", request: 1), completion: $0) }
        await expect(.idempotencyKeyReused) { try await kept.answer.get() }
        #expect(table.store.with(\.rooms.count) == 3)
    }

    @Test("that was not stored can be asked for again, and what was stored though nobody knew is found") func failingCommit() async throws {
        let table = try Table()
        table.store.fail(.failed)
        await expect(.storeUnavailable) { try await open(wish("a"), at: table) }
        let pin = try await open(wish("a"), at: table)
        #expect(table.store.with(\.rooms.count) == 1)
        table.store.fail(.unknown)
        await expect(.storeUnavailable) { try await open(wish("b"), at: table) }
        let found = try await open(wish("b"), at: table)
        #expect(found != pin)
        #expect(table.store.with(\.rooms.count) == 2)
    }

    @Test("that lost a race for its PIN, or for its room, is carried out once all the same") func retried() async throws {
        let table = try Table()
        table.store.fail(.claimed)
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let many = (0..<5).map { _ in opening(wish("a"), at: table) }
        table.store.gate.signal()
        var pins: Set<String> = []
        for opened in many { pins.insert(try await opened.answer.get()) }
        #expect(pins.count == 1)
        let pin = try #require(pins.first.flatMap { PIN($0) })
        try await table.submit(to: pin, by: 2)
        table.store.fail(.overtaken { $0.sequence += 5 })
        let revealed = try await revealing(pin, wish("r"), at: table).answer.get()
        #expect(try await revealing(pin, wish("r"), at: table).answer.get() == revealed)
        #expect(table.store[pin]?.results.count == 1)
    }

    @Test("has its answer kept also where it changed nothing or the room refused it, but not where it was turned away at the door")
    func nothingChanged() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        _ = try await table.join(pin, as: 2)
        await expect(.refused(.notHost)) { try await revealing(pin, wish("r", owner: 2), at: table).answer.get() }
        #expect(table.store.with(\.receipts.count) == 0)
        #expect(try await revealing(pin, wish("too early"), at: table).answer.get() == "refused")
        try await table.submit(to: pin, by: 2)
        // What was asked too early stays refused; asked anew, it is done.
        #expect(try await revealing(pin, wish("too early"), at: table).answer.get() == "refused")
        #expect(table.store[pin]?.results.isEmpty == true)
        let result = try await table.reveal(pin)
        #expect(try await revealing(pin, wish("r"), at: table).answer.get() == "1 \(result.sequence)")
        #expect(table.store.with(\.receipts.count) == 2)
    }

    @Test("is honoured for a day where its answer belongs to no room, however short rooms live; one of a room goes with that")
    func lifetime() async throws {
        let day: Int64 = 24 * 60 * 60 * 1000
        let table = try Table(lifetime: 60_000)
        let opened = try await open(wish("open"), at: table)
        let pin = try #require(PIN(opened))
        let played = try await play("solo", at: table)
        try await table.submit(to: pin, by: 2)
        let revealed = try await revealing(pin, wish("reveal"), at: table).answer.get()
        for step in [59_999, 1, day - 60_001] {
            table.clock.advance(by: step)
            #expect(try await open(wish("open"), at: table) == opened)
            #expect(try await play("solo", at: table) == played)
        }
        await expect(.roomNotFound) { try await revealing(pin, wish("reveal"), at: table).answer.get() }
        #expect(revealed == "1 4")
        table.clock.advance(by: 1)
        #expect(try await open(wish("open"), at: table) != opened)
        #expect(try await play("solo", at: table) != played)
    }

    @Test("is forgotten after a day, and swept") func forgotten() async throws {
        let table = try Table()
        let first = try await open(wish("a"), at: table)
        table.clock.advance(by: 24 * 60 * 60 * 1000)
        #expect(try await open(wish("a"), at: table) != first)
        for number in 0..<600 {
            let receipt = Receipt(
                key: wish("\(number)").key, request: Table.token(0), answer: [], keptAt: table.clock.now, expiresAt: table.clock.now,
                isOfRoom: false)
            table.store.with { $0.receipts[receipt.key] = receipt }
        }
        #expect(await table.sweep() == 1)
        #expect(table.store.with(\.receipts.count) == 1)
    }

    @Test("is refused to a device that has too much kept, and in a room of which too much is; without a key nothing is kept")
    func bounded() async throws {
        let table = try Table()
        let pin = try await table.open(by: 2).pin
        try await table.submit(to: pin, by: 2)
        let id = try await table.read(pin).id
        let large = [UInt8](repeating: 0, count: 1 << 20)
        func keep(_ count: Int, owner: Int) {
            for number in 0..<count {
                let receipt = Receipt(
                    key: wish("\(number)", owner: owner).key, request: Table.token(0), answer: large, keptAt: table.clock.now,
                    expiresAt: table.clock.now.advanced(by: 1000), isOfRoom: true)
                table.store.with {
                    $0.receipts[receipt.key] = receipt
                    $0.receiptsOf[id, default: []].insert(receipt.key)
                }
            }
        }
        keep(4, owner: 1)
        await expect(.limited(retryAfter: .seconds(3600))) { try await open(wish("one more"), at: table) }
        _ = try await table.open(by: 1)
        _ = try await open(wish("one more", owner: 2), at: table)
        _ = try await revealing(pin, wish("fits", owner: 2), at: table).answer.get()
        keep(4, owner: 3)
        await expect(.limited(retryAfter: .seconds(3600))) { try await revealing(pin, wish("r", owner: 2), at: table).answer.get() }
        _ = try await table.reveal(pin, by: 2)
    }

    @Test("cannot have more kept by asking for much at once") func boundedAtOnce() async throws {
        let table = try Table()
        let large = [UInt8](repeating: 0, count: 1 << 20)
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let opened = (0..<10).map { number in
            Pending<Result<[UInt8], Failure>> { completion in
                table.rooms.open(
                    by: Table.token(1), nickname: nil, revealWhen: RevealPolicy(), deadlineAt: nil,
                    answering: Answering(
                        wish("\(number)"), write: { _ in large }, give: { completion(.success($0)) },
                        failed: { completion(.failure($0)) }))
            }
        }
        table.store.gate.signal()
        var count = 0
        for opened in opened { if case .success = try await opened.answer { count += 1 } }
        #expect(count == 4)
    }

    @Test("is admitted once, and a repeat not at all") func admission() async throws {
        let table = try Table()
        let asked = Mutex(0)
        func opening(_ key: String) -> Pending<Result<[UInt8], Failure>> {
            Pending { completion in
                table.rooms.open(
                    by: Table.token(1), nickname: nil, revealWhen: RevealPolicy(), deadlineAt: nil,
                    admit: {
                        asked.withLock { asked in
                            asked += 1
                            return asked > 2 ? .limited(retryAfter: .seconds(9)) : nil
                        }
                    },
                    answering: Answering(
                        wish(key), write: { _ in [1] }, give: { completion(.success($0)) }, failed: { completion(.failure($0)) }))
            }
        }
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let many = (0..<10).map { _ in opening("a") }
        table.store.gate.signal()
        for opened in many { #expect(try await opened.answer.get() == [1]) }
        #expect(asked.withLock { $0 } == 1)
        _ = try await opening("b").answer.get()
        await expect(.limited(retryAfter: .seconds(9))) { try await opening("c").answer.get() }
        #expect(table.store.with(\.rooms.count) == 2)
    }

    @Test("is kept for a solo game too, which is played again under another key") func solo() async throws {
        let table = try Table()
        let first = try await play("a", at: table)
        #expect(try await play("a", at: table) == first)
        #expect(try await play("b", at: table) != first)
        table.store.fail(.failed)
        await expect(.storeUnavailable) { try await play("c", at: table) }
    }
}

@Suite("A device that opens rooms") struct RoomsPerTokenTests {
    @Test("has so many at a time; the last one's turn comes when the first has expired or was closed") func limit() async throws {
        let table = try Table(lifetime: 60_000, roomsPerToken: 3)
        var pins: [PIN] = []
        for _ in 1...3 {
            pins.append(try await table.open().pin)
            table.clock.advance(by: 1000)
        }
        await expect(.tooManyRooms(untilFirstEnds: .seconds(57))) { try await table.open() }
        _ = try await table.open(by: 2)
        try await table.close(pins[1])
        pins.append(try await table.open().pin)
        await expect(.tooManyRooms(untilFirstEnds: .seconds(57))) { try await table.open() }
        // To leave a room does not make room for another.
        _ = try await table.leave(pins[3], as: 1)
        await expect(.tooManyRooms(untilFirstEnds: .seconds(57))) { try await table.open() }
        table.clock.advance(by: 57_000)
        _ = try await table.open()
    }

    @Test("cannot have more by opening many at once") func atOnce() async throws {
        let table = try Table(roomsPerToken: 3)
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let opened = (0..<10).map { _ in
            Pending { completion in
                table.rooms.open(
                    by: Table.token(1), nickname: nil, revealWhen: RevealPolicy(), deadlineAt: nil,
                    answering: Answering(completion: completion))
            }
        }
        table.store.gate.signal()
        var count = 0
        for opened in opened { if case .success = try await opened.answer { count += 1 } }
        #expect(count == 3)
        #expect(table.store.with(\.rooms.count) == 3)
    }
}

@Suite("A room that was closed") struct ClosedRoomTests {
    @Test("is one that never was, for whoever comes in the same batch and after, and its PIN is free") func closed() async throws {
        let table = try Table(pinSpace: PINSpace(first: 1), pinSpaceGrows: false)
        let pin = try await table.open().pin
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let before = table.joining(pin, as: 2)
        let closing = Pending { table.rooms.close(pin, by: Table.token(1), completion: $0) }
        let after = table.joining(pin, as: 3)
        table.store.gate.signal()
        #expect(try await before.answer.get().isNew)
        try await closing.answer.get()
        await expect(.roomNotFound) { try await after.answer.get() }
        await expect(.roomNotFound) { try await table.read(pin) }
        await expect(.roomNotFound) { try await table.submit(to: pin, by: 2) }
        let next = try await table.open(by: 2)
        #expect(next.pin == pin)
        #expect(try await table.read(pin).members.count == 1)
    }

    @Test("though nobody knew that is over for its watchers as soon as that is found out") func unknown() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let listener = try await table.watch(pin)
        table.store.fail(.unknown)
        await expect(.storeUnavailable) { try await table.close(pin) }
        await expect(.roomNotFound) { try await table.join(pin, as: 2) }
        #expect(try await eventually { listener.ends == 1 })
        await expect(.roomNotFound) { try await table.read(pin) }
    }

    @Test("is still there where that could not be stored") func notStored() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        table.store.fail(.failed)
        await expect(.storeUnavailable) { try await table.close(pin) }
        #expect(try await table.read(pin).members.count == 1)
        await expect(.refused(.notHost)) { try await table.close(pin, by: 2) }
        try await table.close(pin)
        await expect(.roomNotFound) { try await table.read(pin) }
    }
}
