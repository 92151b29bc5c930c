import MenuGame
import TestSupport
import Testing
import UseCases

/// What a store forgets, and what it keeps for the rooms.
@Suite("What a room store holds") struct UpkeepContract {
    @Test("is deleted once it has expired, no more at a time than it was told", arguments: StoreUnderTest.all)
    func deleteExpired(kind: StoreUnderTest) throws {
        try kind.run { store in
            for number in 0..<5 {
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
                _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
                try room.reveal(at: Sample.now)
                try store.create(&room)
            }
            var lasting = Sample.room("r_9", pin: try Sample.pin(9))
            try store.create(&lasting)

            #expect(try store.deleteExpired(at: Sample.now, limit: 10) == [])
            let later = Sample.now.advanced(by: 1000)
            var deleted: [PIN] = []
            for expected in [2, 2, 1, 0] {
                let pins = try store.deleteExpired(at: later, limit: 2)
                #expect(pins.count == expected)
                deleted += pins
            }
            #expect(Set(deleted) == Set(try (0..<5).map(Sample.pin)))
            #expect(try store.load(lasting.pin, at: later) == RoomRecord(lasting))
            #expect(try store.load(try Sample.pin(0), at: Sample.now) == nil)
        }
    }

    @Test("is counted by the digits of its PINs", arguments: StoreUnderTest.all)
    func liveCount(kind: StoreUnderTest) throws {
        try kind.run { store in
            for (number, pin) in ["000000", "999999", "123456", "1234567"].enumerated() {
                var room = Sample.room("r_\(number)", pin: try #require(PIN(pin)))
                try store.create(&room)
            }
            #expect(try [6, 7, 8].map { digits in try store.liveCount(digits: digits) } == [3, 1, 0])
        }
    }

    @Test("has the catalogue of every room, byte for byte", arguments: StoreUnderTest.all)
    func catalogue(kind: StoreUnderTest) throws {
        try kind.run { store in
            let bytes: [UInt8] = [0, 255, 10, 0]
            #expect(try store.catalogue("another") == nil)
            try store.keep(catalogue: bytes, fingerprint: "another")
            try store.keep(catalogue: bytes, fingerprint: "another")
            #expect(try store.catalogue("another") == bytes)

            try store.keep(catalogue: Array("{}".utf8), fingerprint: Sample.catalogue.fingerprint)
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.keep(catalogue: bytes, fingerprint: "another")
            #expect(try store.catalogue(Sample.catalogue.fingerprint) == Array("{}".utf8))
        }
    }

    @Test("can be written", arguments: StoreUnderTest.all)
    func writable(kind: StoreUnderTest) throws {
        try kind.run { store in
            #expect(store.isWritable())
            #expect(store.isWritable())
        }
    }
}
