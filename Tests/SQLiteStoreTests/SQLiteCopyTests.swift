import Foundation
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("A copy of a database") struct SQLiteCopyTests {
    /// Fails at the last moment, which is before the copy has its name.
    private func fail(_ copy: String) throws(StoreError) {
        if FileManager.default.fileExists(atPath: copy) { Issue.record("it has its name too early") }
        throw StoreError("provoked")
    }

    @Test("has its name only once all of it is there, and leaves nothing behind where it fails at the last moment")
    func late() throws {
        try withStore { _, path in
            try withTemporaryDirectory { directory in
                let copy = directory + "/copy"
                let made = #expect(throws: StoreError.self) {
                    try SQLiteCopy.make(of: path, at: copy, keyFingerprint: nil) { () throws(StoreError) in try fail(copy) }
                }
                let restored = #expect(throws: StoreError.self) {
                    try SQLiteCopy.restore(path, at: copy, keyFingerprint: nil, now: Sample.now) { () throws(StoreError) in try fail(copy) }
                }
                #expect(made == StoreError("provoked") && restored == made)
                let left = try FileManager.default.contentsOfDirectory(atPath: directory)
                #expect(left == ["copy.lock"])
            }
        }
    }

    @Test("is not made beside what another database has left", arguments: ["", "-wal", "-shm", "-journal"])
    func others(suffix: String) throws {
        try withStore { _, path in
            try withTemporaryDirectory { directory in
                let left = URL(filePath: "\(directory)/copy\(suffix)")
                try Data("somebody's".utf8).write(to: left)
                #expect(throws: StoreError.self) { try SQLiteCopy.make(of: path, at: "\(directory)/copy", keyFingerprint: nil) {} }
                #expect(throws: StoreError.self) {
                    try SQLiteCopy.restore(path, at: "\(directory)/copy", keyFingerprint: nil, now: Sample.now) {}
                }
                #expect(try Data(contentsOf: left) == Data("somebody's".utf8))
            }
        }
    }

    @Test("is not restored to where a server keeps its rooms, even if their file was moved away")
    func inUse() throws {
        try withStore { store, path in
            try withTemporaryDirectory { directory in
                let copy = "\(directory)/copy"
                try SQLiteCopy.make(of: path, at: copy, keyFingerprint: nil) {}
                try FileManager.default.moveItem(atPath: path, toPath: "\(directory)/away")
                #expect(throws: StoreError.inUse(path)) {
                    try SQLiteCopy.restore(copy, at: path, keyFingerprint: nil, now: Sample.now) {}
                }
                try FileManager.default.moveItem(atPath: "\(directory)/away", toPath: path)
                #expect(store.isWritable())
            }
        }
    }

    @Test("is not made of rooms that nothing says the key of")
    func noKey() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try withTemporaryDirectory { directory in
                #expect(throws: StoreError.self) { try SQLiteCopy.make(of: path, at: "\(directory)/copy", keyFingerprint: [1]) {} }
                let left = try FileManager.default.contentsOfDirectory(atPath: directory)
                #expect(left.isEmpty)
            }
        }
    }

    @Test("goes on with higher numbers each time it is restored")
    func higher() throws {
        try withStore { store, path in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.belong(toKey: [1])
            try store.create(&room)
            try withTemporaryDirectory { directory in
                try SQLiteCopy.make(of: path, at: "\(directory)/copy", keyFingerprint: [1]) {}
                var before = RoomRecord(room)
                for turn in 1...3 {
                    let now = Instant(milliseconds: Sample.now.milliseconds + Int64(turn))
                    try SQLiteCopy.restore("\(directory)/copy", at: "\(directory)/\(turn)", keyFingerprint: [1], now: now) {}
                    let restored = try SQLiteStore(path: "\(directory)/\(turn)")
                    defer { restored.close() }
                    let record = try #require(try restored.load(room.pin, at: Sample.now))
                    #expect(record.sequence > before.sequence)
                    #expect(record.submissionCounter > before.submissionCounter)
                    #expect(record.memberCounter > before.memberCounter)
                    before = record
                }
            }
        }
    }
}
