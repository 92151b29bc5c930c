import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("A connection that many want") struct KeeperTests {
    /// Two who want it.
    private final class Pair: Sendable {
        let keeper: Keeper
        let turns = Mutex<[String]>([])
        private let isHeld = Mutex(false)
        /// The thread of who waits, as `/proc/thread-self` names it.
        private let waiter = Mutex("")

        init(_ path: String) { keeper = Keeper { () throws(StoreError) in try Connection(path: path, busyTimeout: 0) } }

        func haveTwice() throws {
            try keeper.use { _ throws(StoreError) in
                turns.withLock { $0.append("first") }
                isHeld.withLock { $0 = true }
                // Until the other is asleep for want of it.
                while state(of: waiter.withLock { $0 }) != "S" { sched_yield() }
            }
            try keeper.use { _ throws(StoreError) in turns.withLock { $0.append("first again") } }
        }

        func wait() throws {
            while !isHeld.withLock({ $0 }) { sched_yield() }
            let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            waiter.withLock { $0 = thread }
            try keeper.use { _ throws(StoreError) in turns.withLock { $0.append("second") } }
        }

        /// As proc(5) has it: "S" where a thread sleeps.
        private func state(of thread: String) -> Substring? {
            let text = thread.isEmpty ? nil : try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
            return text?.split(separator: ")").last?.split(separator: " ").first
        }
    }

    @Test("goes to whoever has waited for it, before whoever has just had it") func order() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "some.db"))
        let pair = Pair(folder.path("some.db"))
        _ = try await atOnce(0..<2) { number in try number == 0 ? pair.haveTwice() : pair.wait() }
        #expect(pair.turns.withLock { $0 } == ["first", "second", "first again"])
    }
}
