import Foundation
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("Bringing the log home")
struct CheckpointerTests {
    @Test("is tried again after it failed, however short the log is by then, so that the store is called well when it is") func again()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("rooms.db")
        let file = try DatabaseFile(path)
        _ = try Connection.first(to: file, busyTimeout: 1000)
        let writer = Keeper { () throws(StoreError) in try Connection.writing(to: file, busyTimeout: 1000) }
        let checkpointer = Checkpointer(file: file, writer: writer, limit: 10)
        defer {
            checkpointer.close()
            writer.close()
        }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        checkpointer.notice(logPages: 9)
        #expect(checkpointer.isWell)
        checkpointer.notice(logPages: 10)
        #expect(try await eventually { !checkpointer.isWell })
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(
            try await eventually {
                checkpointer.notice(logPages: 0)
                return checkpointer.isWell
            })
    }

    /// Of each three steps of a checkpoint the last, before which the writer is held.
    private final class LastStep: Sendable {
        let fails = Mutex(true)
        let failures = Mutex(0)
        private let steps = Mutex(0)

        func take(_ connection: Connection) throws(StoreError) {
            let number = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard number.isMultiple(of: 3), fails.withLock(\.self) else { return try Checkpointer.passive(connection) }
            failures.withLock { $0 += 1 }
            throw StoreError("told to fail")
        }
    }

    @Test("leaves the writer as it is where it fails in the end, which the store says of itself until it has succeeded") func lastStep()
        async throws
    {
        let folder = try TemporaryFolder()
        let last = LastStep()
        let store = try SQLiteStore(path: folder.path("rooms.db"), busyTimeout: 1000, logLimit: 1) { connection throws(StoreError) in
            try last.take(connection)
        }
        // Goes with the connection that it was made on.
        try store.write { connection throws(StoreError) in try connection.run(script: "CREATE TEMP TABLE mark (number)") }
        #expect(try await eventually { !store.isWritable() })
        let failures = last.failures.withLock(\.self)
        // Each commit has it tried again.
        #expect(try await eventually { !store.isWritable() && last.failures.withLock(\.self) > failures + 2 })
        try store.write { connection throws(StoreError) in try connection.runOnOne("INSERT INTO temp.mark VALUES (\(1))") }

        last.fails.withLock { $0 = false }
        #expect(try await eventually { store.isWritable() })
        #expect(
            try store.write { connection throws(StoreError) in
                try connection.first("SELECT count(*) FROM temp.mark") { $0.integer() }
            } == 1)
    }
}
