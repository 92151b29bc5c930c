import Foundation
import MenuGame
import TestSupport

@testable import SQLiteStore

func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = NSTemporaryDirectory() + "hansang-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
}

/// A new store, in which rooms can be kept, and the path of its database.
func withStore(_ body: (SQLiteStore, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
        let path = directory + "/rooms.db"
        let store = try SQLiteStore(path: path, busyTimeout: 100)
        try store.keep(catalogue: Array("{}".utf8), fingerprint: Sample.catalogue.fingerprint)
        try body(store, path)
    }
}
