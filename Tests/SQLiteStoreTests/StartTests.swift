import Foundation
import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("Starting on an SQLite file") struct StartTests {
    @Test("creates it for its owner's eyes only") func creates() throws {
        try withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory + "/rooms.db")
            #expect(store.isWritable())
            for name in ["rooms.db", "rooms.db-wal", "rooms.db-shm", "rooms.db.lock"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test("finds all that was there before") func reopens() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            do {
                let store = try SQLiteStore(path: path)
                try store.keep(catalogue: [1, 2], fingerprint: Sample.catalogue.fingerprint)
                try store.create(&room)
                try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
                try store.check(&room) { try $0.showResult(at: Sample.now) }
                store.close()
                #expect(throws: StoreError.self) { try store.load(room.pin, at: Sample.now) }
                #expect(!store.isWritable())
            }
            // Everything is in the one file by then.
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let store = try SQLiteStore(path: path)
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            #expect(try store.catalogue(Sample.catalogue.fingerprint) == [1, 2])
            try store.check(&room) { try $0.leave(Sample.token(2)) }
        }
    }

    @Test("refuses a second server, also under another name of the file, until the first has gone") func second() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            let first = try SQLiteStore(path: path)
            try FileManager.default.createSymbolicLink(atPath: directory + "/link.db", withDestinationPath: path)
            for name in [path, directory + "/../" + (directory as NSString).lastPathComponent + "/rooms.db", directory + "/link.db"] {
                let error = try #require(throws: StoreError.self) { try SQLiteStore(path: name) }
                #expect(error.detail.hasSuffix("is in use by another process"))
            }
            #expect(first.isWritable())
            first.close()
            #expect(try SQLiteStore(path: path).isWritable())
        }
    }

    @Test("is free as soon as the first has gone, whoever has a copy of its descriptors for a moment") func copied() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            let lock = try FileLock(besides: path)
            let file = try #require(
                FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { number in
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path + ".lock"
                })
            // What a child has between its fork and its exec.
            let copy = dup(try #require(Int32(file)))
            defer { close(copy) }
            #expect(throws: StoreError.self) { try FileLock(besides: path) }
            _ = consume lock
            _ = try FileLock(besides: path)
        }
    }

    @Test("refuses a file that somebody else is writing") func busy() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try SQLiteStore(path: path).close()
            let other = try Connection(path: path, busyTimeout: 0)
            try other.run("BEGIN IMMEDIATE")
            let error = try #require(throws: StoreError.self) { try SQLiteStore(path: path, busyTimeout: 10) }
            #expect(error.detail == "the database \(realPath(path)) is in use by another process")
            try other.run("COMMIT")
            _ = try SQLiteStore(path: path, busyTimeout: 10)
        }
    }

    @Test("refuses the schema of a newer version and leaves it alone") func newer() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try SQLiteStore(path: path).close()
            try Connection(path: path, busyTimeout: 0).run("INSERT INTO migration VALUES (999, 'from the future', '')")
            try expectUntouched(path, "has schema 999")
        }
    }

    @Test("refuses another program's database and leaves it alone", arguments: [true, false])
    func foreign(hasID: Bool) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try Data().write(to: URL(fileURLWithPath: path))
            do {
                let other = try Connection(path: path, busyTimeout: 0)
                try other.run(script: "CREATE TABLE room (x); PRAGMA application_id = \(hasID ? 252006674 : 0)")
            }
            try expectUntouched(path, "is a database of another program")
        }
    }

    @Test("refuses what is no database and leaves it alone") func noDatabase() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try Data(repeating: UInt8(ascii: "x"), count: 5000).write(to: URL(fileURLWithPath: path))
            try expectUntouched(path, "is no database")
        }
    }

    @Test(
        "says so where there is no directory, or none that can be written", arguments: ["/missing/rooms.db", "/file/rooms.db", "/", "/.."])
    func noDirectory(name: String) throws {
        try withTemporaryDirectory { directory in
            try Data().write(to: URL(fileURLWithPath: directory + "/file"))
            #expect(throws: StoreError.self) { try SQLiteStore(path: directory + name) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
        }
    }

    @Test("says so where nothing can be written") func readOnlyDirectory() throws {
        // Not even root writes here; a directory of ours without the permission would stop everybody else.
        let error = try #require(throws: StoreError.self) { try SQLiteStore(path: "/proc/self/rooms.db") }
        #expect(error.detail.contains("/proc/self"))
        try withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: directory + "/sealed", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
            if geteuid() != 0 { #expect(throws: StoreError.self) { try SQLiteStore(path: directory + "/sealed/rooms.db") } }
        }
    }

    @Test("finds a path from the working directory") func relative() throws {
        try withTemporaryDirectory { directory in
            let here = FileManager.default.currentDirectoryPath
            let up = String(repeating: "../", count: here.split(separator: "/").count)
            let file = try DatabaseFile(up + directory.dropFirst() + "/rooms.db")
            #expect(file.path == realPath(directory) + "/rooms.db")
            #expect(try DatabaseFile(directory + "/rooms.db").path == file.path)
        }
    }

    @Test("does not follow a link to nowhere") func danglingLink() throws {
        try withTemporaryDirectory { directory in
            try FileManager.default.createSymbolicLink(
                atPath: directory + "/rooms.db", withDestinationPath: directory + "/elsewhere.db")
            #expect(throws: StoreError.self) { try SQLiteStore(path: directory + "/rooms.db") }
        }
    }

    @Test("says so where the file itself cannot be written") func readOnlyFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            try SQLiteStore(path: path).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            if geteuid() != 0 { #expect(throws: StoreError.self) { try SQLiteStore(path: path) } }
        }
    }

    @Test("where it is to take over, waits for who is still reading what is left in the log, a check or a backup")
    func readers() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("rooms.db")
        try withStore { store, running in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix) }
        }
        // On threads that no other test holds up, for the store gives up after a minute.
        try await onOwnThread {
            let reader = try Connection(path: path, busyTimeout: 0)
            try reader.run("BEGIN")
            #expect(try reader.first("SELECT count(*) FROM room", { $0.integer() }) == 1)
            #expect(throws: StoreError.self) { try SQLiteStore(path: path, busyTimeout: 100) }

            let opened = Mutex<Result<SQLiteStore, any Error>?>(nil)
            let isOpened = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                // With patience for the lock, which is tried here as well.
                let store = Result { try SQLiteStore(path: path, busyTimeout: 0, patience: .seconds(60)) }
                opened.withLock { $0 = store }
                isOpened.signal()
            }
            let end = ContinuousClock.now + .seconds(45)
            while (try? FileLock(besides: path)) != nil, ContinuousClock.now < end { usleep(1000) }
            try reader.run("COMMIT")
            isOpened.wait()
            let store = try opened.withLock { try $0?.get() }
            #expect(try store?.load(Sample.pin(1), at: Sample.now) != nil)
        }
    }

    /// The file is refused again and again for the same reason, and not a byte of it changes.
    private func expectUntouched(_ path: String, _ reason: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for _ in 0..<2 {
            let error = try #require(throws: StoreError.self) { try SQLiteStore(path: path) }
            #expect(error.detail.contains(reason))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
