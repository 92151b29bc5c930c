import Metrics
import UseCases

/// What came of messages to phones, by service.
final class PushMetrics: Sendable {
    private let counts = Counts(PushService.allCases.count * Outcome.allCases.count)
    private let drops = Counts(PushService.allCases.count)

    fileprivate enum Outcome: String, CaseIterable {
        case accepted, gone, rejected, failed, unauthorized, expired
    }

    func add(_ report: PushReport) {
        switch report {
        case .answered(let service, _, let outcome, let verdict):
            count(service, Outcome(outcome))
            if verdict == .dropped { drop(service) }
        case .expired(let service, _):
            count(service, .expired)
            drop(service)
        case .firstFailure, .troubled: break
        }
    }

    private func count(_ service: PushService, _ outcome: Outcome) { counts.add(at: place(service, outcome)) }

    private func drop(_ service: PushService) { drops.add(at: PushService.allCases.firstIndex(of: service) ?? 0) }

    private func place(_ service: PushService, _ outcome: Outcome) -> Int {
        let (services, outcomes) = (PushService.allCases, Outcome.allCases)
        return (services.firstIndex(of: service) ?? 0) * outcomes.count + (outcomes.firstIndex(of: outcome) ?? 0)
    }

    var families: [Family] {
        [
            Family(.counter, "hansang_push_messages_total", "Messages to phones, each attempt, by what came of it.") { [self] in
                PushService.allCases.flatMap { service in
                    Outcome.allCases.map { outcome in
                        Family.Sample(
                            Double(counts[place(service, outcome)]), [("service", service.rawValue), ("outcome", outcome.rawValue)])
                    }
                }
            },
            Family(
                .counter, "hansang_push_messages_dropped_total",
                "Messages to phones that go out no more and no service has taken: refused for good, out of attempts, or worth nothing any more."
            ) { [self] in
                PushService.allCases.enumerated().map { Family.Sample(Double(drops[$0.offset]), [("service", $0.element.rawValue)]) }
            },
        ]
    }
}

extension PushMetrics.Outcome {
    fileprivate init(_ outcome: PushOutcome) {
        self =
            switch outcome {
            case .accepted: .accepted
            case .gone: .gone
            case .rejected: .rejected
            case .again: .failed
            case .unauthorized: .unauthorized
            }
    }
}
