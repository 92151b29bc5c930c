import Foundation
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("The SQLite store") struct SQLiteStoreTests {
    @Test("syncs every commit and enforces its keys, also after its connection was thrown away") func pragmas() throws {
        try withStore { store, _ in
            for _ in 0..<2 {
                let settings = try store.write { connection throws(StoreError) in
                    [
                        try connection.first("PRAGMA journal_mode") { $0.text() },
                        try connection.first("PRAGMA synchronous") { $0.text() },
                        try connection.first("PRAGMA foreign_keys") { $0.text() },
                        try connection.first("PRAGMA secure_delete") { $0.text() },
                        try connection.first("PRAGMA auto_vacuum") { $0.text() },
                    ]
                }
                #expect(settings == ["wal", "2", "1", "1", "2"])
                _ = try? store.write { _ throws(StoreError) in throw StoreError("provoked") }
            }
        }
    }

    @Test("loses nothing but the batch that failed, and heals by itself") func heals() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            let other = try Connection(path: path, busyTimeout: 0)
            try other.run(script: "CREATE TRIGGER bad BEFORE INSERT ON submission BEGIN SELECT RAISE(FAIL, 'bad disk'); END")

            var changed = room
            _ = try changed.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
            var second = Sample.room("r_2", pin: try Sample.pin(2))
            let batch = [second.change(basedOn: nil), changed.change(basedOn: room.sequence)]
            #expect(throws: StoreError.self) { try store.commit(batch) }
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            #expect(try store.load(second.pin, at: Sample.now) == nil)

            try other.run(script: "DROP TRIGGER bad")
            #expect(try store.commit(batch) == [.stored, .stored])
            #expect(try store.load(changed.pin, at: Sample.now) == RoomRecord(changed))
        }
    }

    @Test("goes on reading while another process holds it up, and says that it cannot be written") func held() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            let other = try Connection(path: path, busyTimeout: 0)
            try other.run("BEGIN IMMEDIATE")
            #expect(!store.isWritable())
            let sequence = room.sequence
            var changed = room
            _ = try changed.join(Sample.token(2), nickname: nil, at: Sample.now)
            let change = changed.change(basedOn: sequence)
            #expect(throws: StoreError.self) { try store.commit([change]) }
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            try other.run("ROLLBACK")
            #expect(store.isWritable())
            #expect(try store.commit([change]) == [.stored])
        }
    }

    @Test("builds nothing upon a log that could not be brought home after a failure, and shows nothing of it") func unsynced() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            // A failure that closes every connection, while another process reads an earlier state: that holds the log where it is.
            let other = try Connection(path: path, busyTimeout: 0)
            try other.run("BEGIN")
            _ = try other.first("SELECT count(*) FROM room") { $0.integer64() }
            var changed = room
            _ = try changed.join(Sample.token(2), nickname: nil, at: Sample.now)
            let change = changed.change(basedOn: room.sequence)
            let impossible = RoomChange(room: changed, basedOn: changed.sequence, events: [.left(MemberID(number: 9))])
            #expect(try store.commit([change]) == [.stored])
            #expect(throws: StoreError.self) { try store.commit([impossible]) }
            #expect(!store.isWritable())
            #expect(throws: StoreError.self) { try store.load(room.pin, at: Sample.now) }

            try other.run("ROLLBACK")
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(changed))
            #expect(store.isWritable())
        }
    }

    @Test("takes no writes once its file was moved or replaced, and takes them again when it is back") func moved() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
            #expect(!store.isWritable())
            var other = Sample.room("r_2", pin: try Sample.pin(2))
            let opening = other.change(basedOn: nil)
            #expect(throws: StoreError.self) { try store.commit([opening]) }
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(!store.isWritable())
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
            #expect(store.isWritable())
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
        }
    }

    @Test("belongs to the key that it was made with") func key() throws {
        try withStore { store, _ in
            try store.belong(toKey: [1, 2, 3])
            try store.belong(toKey: [1, 2, 3])
            #expect(throws: StoreError.self) { try store.belong(toKey: [1, 2, 4]) }
        }
    }

    @Test("with rooms and without a key is nobody's") func keyless() throws {
        try withStore { store, _ in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            for _ in 0..<2 { #expect(throws: StoreError.self) { try store.belong(toKey: [1, 2, 3]) } }
            #expect(throws: StoreError.self) { try store.keyFingerprint() }
        }
    }

    @Test("refuses an event that changes nothing, and quotes nobody's data") func impossible() throws {
        try withStore { store, _ in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            let nickname = Nickname(stored: "김비밀")
            let impossible: [RoomEvent] = [
                .renamed(MemberID(number: 9), nickname), .left(MemberID(number: 9)),
                .joined(Member(id: MemberID(number: 1), token: Sample.token(2), nickname: nickname, joinedAt: Sample.now)),
                .joined(Member(id: MemberID(number: 2), token: Sample.token(1), nickname: nickname, joinedAt: Sample.now)),
                .withdrawn(SubmissionID(number: 1), by: MemberID(number: 1)),
                .submitted(
                    Submission(id: SubmissionID(number: 1), revision: 1, sheet: try Sample.sheet(), submittedAt: Sample.now),
                    by: MemberID(number: 9)),
                .resubmitted(
                    Submission(id: SubmissionID(number: 1), revision: 2, sheet: try Sample.sheet(), submittedAt: Sample.now),
                    by: MemberID(number: 1)),
            ]
            for event in impossible {
                let change = RoomChange(room: room, basedOn: room.sequence, events: [event])
                let error = try #require(throws: StoreError.self) { try store.commit([change]) }
                for datum in ["100001", "김비밀", "like", "r_1"] { #expect(!error.detail.contains(datum)) }
                #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            }
        }
    }

    @Test("opens no room with a catalogue that it does not have") func unknownCatalogue() throws {
        try withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory + "/rooms.db")
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            let change = room.change(basedOn: nil)
            #expect(throws: StoreError.self) { try store.commit([change]) }
        }
    }

    @Test("drops the catalogues that no room is played with") func dropsCatalogues() throws {
        try withStore { store, _ in
            var room = Sample.room("r_1", pin: try Sample.pin(1), lifetime: 1000)
            try store.create(&room)
            for name in ["second", "third"] { try store.keep(catalogue: Array(name.utf8), fingerprint: name) }
            #expect(try ["second", "third", "sample"].map { try store.catalogue($0) != nil } == [false, true, true])
            _ = try store.deleteExpired(at: Sample.now.advanced(by: 1000), limit: 1)
            try store.keep(catalogue: Array("third".utf8), fingerprint: "third")
            #expect(try store.catalogue("sample") == nil)
        }
    }

    @Test("is sound after all that can happen to a room, and empty when the rooms have gone") func sound() throws {
        try withStore { store, _ in
            for number in 0..<20 {
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
                for token in 1...20 { _ = try room.submit(try Sample.sheet(), by: Sample.token(token), at: Sample.now) }
                try store.create(&room)
                try store.check(&room) { room in
                    try room.leave(Sample.token(3))
                    try room.withdraw(Sample.token(4))
                    try room.showResult(at: Sample.now)
                }
            }
            #expect(try store.deleteExpired(at: Sample.now.advanced(by: 1000), limit: 100).count == 20)
            let (sound, rows) = try store.write { connection throws(StoreError) in
                let sound = try connection.all("PRAGMA integrity_check") { $0.text() }
                var rows = try connection.all("PRAGMA foreign_key_check") { _ in 1 }.count
                for table: SQL in [
                    "SELECT count(*) FROM room", "SELECT count(*) FROM member", "SELECT count(*) FROM submission",
                    "SELECT count(*) FROM result",
                ] {
                    rows += try connection.first(table) { $0.integer() } ?? 0
                }
                return (sound, rows)
            }
            #expect(sound == ["ok"])
            #expect(rows == 0)
        }
    }

    @Test("keeps its log short while it writes without a pause, and gives back the space of rooms that have gone") func bounded() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            let store = try SQLiteStore(path: path, busyTimeout: 1000, logLimit: 64)
            try store.keep(catalogue: [], fingerprint: Sample.catalogue.fingerprint)
            var room = Sample.room("r_1", pin: try Sample.pin(1), lifetime: 1000)
            for token in 1...200 { _ = try room.submit(try Sample.sheet(), by: Sample.token(token), at: Sample.now) }
            try store.create(&room)
            var longest = 0
            for round in 0..<200 {
                let sequence = room.sequence
                for token in 1...200 {
                    _ = try room.submit(try Sample.sheet(round % 2 == 0 ? "dislike" : "like"), by: Sample.token(token), at: Sample.now)
                }
                #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
                longest = max(longest, size(path + "-wal"))
            }
            // Some 16 pages a round: without checkpoints there would be thousands.
            #expect(longest < 1_000_000)
            let full = size(path)
            #expect(try store.deleteExpired(at: Sample.now.advanced(by: 1000), limit: 1) == [room.pin])
            store.close()
            #expect(size(path) <= full)
        }
    }

    @Test("takes loads from many threads while it writes") func parallel() throws {
        try withStore { store, _ in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            let opened = room
            let pin = room.pin
            let writing = DispatchGroup()
            let reading = DispatchGroup()
            DispatchQueue.global().async(group: writing) {
                var room = opened
                for number in 2...100 {
                    _ = try? store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(number), at: Sample.now) }
                }
            }
            DispatchQueue.global().async(group: reading) {
                DispatchQueue.concurrentPerform(iterations: 400) { _ in
                    // Of one moment: the sequence has counted every member and submission that is there.
                    guard let record = try? store.load(pin, at: Sample.now) else {
                        Issue.record("not loaded")
                        return
                    }
                    #expect(record.sequence == record.members.count + record.members.count { $0.submission != nil })
                }
            }
            writing.wait()
            reading.wait()
        }
    }

    private func size(_ path: String) -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
}
