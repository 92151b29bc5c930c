import MenuGame
import Metrics
import UseCases

/// What happens to rooms, counted as the use cases tell it.
final class RoomMetrics: Sendable {
    private let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    /// Nanoseconds.
    private let commits = Histogram(
        bounds: [
            100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
            500_000_000, 1_000_000_000, 2_500_000_000,
        ])
    private let counts = Counts(Count.allCases.count)

    private enum Count: Int, CaseIterable {
        case opened, submitted, revealed, decided, closed, expired, conflicts, readFromMemory, readFromStore, storeFailures
    }

    func add(_ measurement: Measurement) {
        switch measurement {
        case .batch(let commands): batches.observe(commands)
        case .expired(let rooms): counts.add(rooms, at: Count.expired.rawValue)
        case .read(let fromMemory): counts.add(at: (fromMemory ? Count.readFromMemory : .readFromStore).rawValue)
        case .committed(let changes, let outcomes, let duration):
            commits.observe(duration.nanoseconds)
            for (change, outcome) in zip(changes, outcomes) {
                guard outcome == .stored else {
                    counts.add(at: Count.conflicts.rawValue)
                    continue
                }
                if change.basedOn == nil { counts.add(at: Count.opened.rawValue) }
                for event in change.events { if let count = Self.count(of: event) { counts.add(at: count.rawValue) } }
            }
        }
    }

    func storeFailed() { counts.add(at: Count.storeFailures.rawValue) }

    private static func count(of event: RoomEvent) -> Count? {
        switch event {
        case .submitted, .resubmitted: .submitted
        case .revealed: .revealed
        case .decided: .decided
        case .closed: .closed
        case .joined, .renamed, .left, .removed, .handedOver, .withdrawn, .roundBegan: nil
        }
    }

    var families: [Family] {
        [
            counter("hansang_rooms_opened_total", "Rooms opened.", .opened),
            counter("hansang_submissions_total", "Submissions taken, those too that replaced one.", .submitted),
            counter("hansang_rooms_revealed_total", "Rounds revealed.", .revealed),
            counter("hansang_rooms_decided_total", "Rounds in which a menu was chosen.", .decided),
            counter("hansang_rooms_closed_total", "Rooms closed by their hosts.", .closed),
            counter("hansang_rooms_expired_total", "Rooms deleted since their day was over.", .expired),
            .histogram("hansang_writer_batch_commands", "Commands that the writer took up at once.", batches),
            .histogram(
                "hansang_store_commit_duration_seconds", "What the store took to write a batch durably.", commits, scale: 1e-9),
            counter("hansang_store_conflicts_total", "Changes applied again: another server was faster, or the PIN taken.", .conflicts),
            counter("hansang_store_failures_total", "Calls of the store that failed.", .storeFailures),
            Family(.counter, "hansang_room_reads_total", "Rooms asked for, by whether they were in memory.") { [counts] in
                [
                    Family.Sample(Double(counts[Count.readFromMemory.rawValue]), [("from", "memory")]),
                    Family.Sample(Double(counts[Count.readFromStore.rawValue]), [("from", "store")]),
                ]
            },
        ]
    }

    private func counter(_ name: String, _ help: String, _ count: Count) -> Family {
        .counter(name, help) { [counts] in Double(counts[count.rawValue]) }
    }
}

extension Duration {
    /// Whole ones; as many as there can be where it is longer than three hundred years.
    var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLong ? .max : whole &+ Int(attoseconds / 1_000_000_000)
    }
}
