import Foundation
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
}
