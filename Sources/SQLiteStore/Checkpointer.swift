internal import Dispatch
internal import Synchronization
internal import UseCases

/// Brings the write-ahead log into the database file from time to time, off the path of the commits.
final class Checkpointer: Sendable {
    private let queue = DispatchQueue(label: "hansang.sqlite-checkpoint")
    private let isDue = Atomic(false)
    private let hasFailed = Atomic(false)
    private let writer: Keeper
    private let own: Keeper
    /// Pages in the log from which on it is brought home.
    private let limit: Int
    private let step: Step

    /// Brings home as much as goes without waiting for anybody.
    typealias Step = @Sendable (Connection) throws(StoreError) -> Void

    static let passive: Step = { connection throws(StoreError) in try connection.run("PRAGMA wal_checkpoint(PASSIVE)") }

    init(file: DatabaseFile, writer: Keeper, limit: Int, step: @escaping Step = passive) {
        self.writer = writer
        self.limit = limit
        self.step = step
        own = Keeper { () throws(StoreError) in
            let connection = try Connection(path: file.path, busyTimeout: 0)
            try connection.commits(.synced)
            return connection
        }
    }

    /// Told after every commit. One that failed is tried again at once: the log may be short again by now, and only trying tells that all
    /// is well.
    func notice(logPages: Int) {
        guard logPages >= limit || !isWell,
            isDue.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else {
            return
        }
        queue.async { [self] in
            checkpoint()
            isDue.store(false, ordering: .releasing)
        }
    }

    /// Whether the last checkpoint succeeded. A log that cannot be brought home grows until commits fail too.
    var isWell: Bool { !hasFailed.load(ordering: .relaxed) }

    func drop() { own.drop() }

    func close() { own.close() }

    /// First what is there, while commits go on, and again what came meanwhile; then, with the writer held for that moment, the rest.
    /// Only where nothing is left over the log begins anew, and under constant load there would always be something left over.
    private func checkpoint() {
        do throws(StoreError) {
            for _ in 0..<2 { try own.use(step) }
            // The writer is only held: what fails is none of its doing, and it goes on as it is.
            let rest = try writer.use { _ throws(StoreError) in
                Result { () throws(StoreError) in try own.use(step) }
            }
            try rest.get()
            hasFailed.store(false, ordering: .relaxed)
        } catch {
            hasFailed.store(true, ordering: .relaxed)
        }
    }
}
