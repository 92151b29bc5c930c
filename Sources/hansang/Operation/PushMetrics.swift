import Metrics
import UseCases

/// What became of messages to phones, by the service that they were given to.
final class PushMetrics: Sendable {
    /// What a message may have met with; that of the log.
    private static let outcomes = ["accepted", "gone", "rejected", "failed", "unauthorized", "expired"]
    private let counts = Counts(PushService.allCases.count * outcomes.count)

    func add(_ report: PushReport) {
        switch report {
        case .answered(let service, _, let outcome, _): add(service, outcome.name)
        case .expired(let service, _): add(service, "expired")
        // Its answers have been counted.
        case .troubled: break
        }
    }

    private func add(_ service: PushService, _ outcome: String) {
        guard let row = PushService.allCases.firstIndex(of: service), let column = Self.outcomes.firstIndex(of: outcome) else { return }
        counts.add(at: row * Self.outcomes.count + column)
    }

    var families: [Family] {
        [
            Family(
                .counter, "hansang_push_messages_total",
                "Messages given to a service, by what it made of them, and those that expired before."
            ) { [counts] in
                PushService.allCases.enumerated().flatMap { row, service in
                    Self.outcomes.enumerated().map { column, outcome in
                        Family.Sample(
                            Double(counts[row * Self.outcomes.count + column]), [("service", service.rawValue), ("outcome", outcome)])
                    }
                }
            }
        ]
    }
}
