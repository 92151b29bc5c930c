import Foundation
import Glibc
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("The log of a database") struct LogFileTests {
    private func room(_ number: Int) throws -> Room { Sample.room("r_\(number)", pin: try Sample.pin(number)) }

    /// What somebody finds who opens all of these files elsewhere, as after a crash.
    private func found(beside path: String, _ pins: [PIN]) throws -> Int {
        try withTemporaryDirectory { elsewhere in
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: "\(elsewhere)/rooms.db\(suffix)")
            }
            let store = try SQLiteStore(path: "\(elsewhere)/rooms.db")
            defer { store.close() }
            return try store.load(pins, at: Sample.now).count
        }
    }

    @Test(
        "that is deleted or renamed under the server takes nothing along: the next commit is refused, and then all is there",
        arguments: [true, false])
    func gone(isDeleted: Bool) throws {
        try withStore { store, path in
            var (first, second, third) = (try room(1), try room(2), try room(3))
            try store.create(&first)
            if isDeleted { unlink(path + "-wal") } else { rename(path + "-wal", path + "-away") }
            #expect(throws: StoreError.self) { try store.create(&second) }
            try store.create(&third)
            #expect(try found(beside: path, [first.pin, third.pin]) == 2)
        }
    }

    @Test("that is cut short under the server is noticed before anything more is acknowledged")
    func cut() throws {
        try withStore { store, path in
            var (first, second) = (try room(1), try room(2))
            try store.create(&first)
            truncate(path + "-wal", 4000)
            #expect(throws: StoreError.self) { try store.create(&second) }
        }
    }

    @Test("that another process has brought home and cut is none the worse for it")
    func broughtHome() throws {
        try withStore { store, path in
            try store.belong(toKey: [1])
            var (first, second) = (try room(1), try room(2))
            try store.create(&first)
            let other = try Connection(path: path, busyTimeout: 0)
            #expect(try other.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer64() } == 0)
            try store.create(&second)
            #expect(try found(beside: path, [first.pin, second.pin]) == 2)
        }
    }

    @Test("without its database is what was acknowledged last: nothing is begun beside it")
    func alone() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try Data(repeating: 1, count: 5000).write(to: URL(filePath: path + "-wal"))
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error?.detail.contains("is missing") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["rooms.db-wal"])
            // An empty one says nothing.
            truncate(path + "-wal", 0)
            try SQLiteStore(path: path).close()
        }
    }
}
