import Foundation
import MenuGame
import SQLiteStore
import Testing
import UseCases

/// A kind of store that is put through the contract, and how to get an empty one.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Calls its argument with a store of its own and clears up.
    let run: @Sendable (_ body: (any RoomStore) throws -> Void) throws -> Void

    static let all = [sqlite]

    static let sqlite = StoreUnderTest(testDescription: "SQLite") { body in
        try withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory + "/rooms.db")
            try store.keep(catalogue: Array("{}".utf8), fingerprint: Sample.catalogue.fingerprint)
            try body(store)
        }
    }
}

func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = NSTemporaryDirectory() + "hansang-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
}
