import JSON
import Push
import UseCases

/// The services by which phones are told, and the worker that gives them what is in the outbox.
struct PushServices: Sendable {
    let services: Set<PushService>
    /// `nil` where there is no service.
    let worker: PushWorker?
    private let client: HTTPClient?

    init(
        _ senders: PushSenders, outbox: any PushOutbox, environment: Environment, storeFailed: @escaping @Sendable (StoreError) -> Void,
        metrics: PushMetrics, log: Log
    ) {
        services = Set(senders.all.map(\.service))
        client = senders.client
        guard !senders.all.isEmpty else {
            worker = nil
            return
        }
        worker = PushWorker(
            outbox: outbox, senders: senders.all, environment: environment, elapsed: systemElapsed, storeFailed: storeFailed
        ) { report in
            metrics.add(report)
            log.write(report)
        }
    }

    /// Takes nothing more, and gives up what is on its way: it is sent again by whoever comes next, under the same ids.
    func stop(then completion: @escaping @Sendable () -> Void) {
        guard let worker else { return completion() }
        // First, so that it knows who gave up what the client ends.
        worker.stop(then: completion)
        client?.close()
    }
}

extension Log {
    /// What came of a message, without whose and of which room it is.
    fileprivate func write(_ report: PushReport) {
        switch report {
        case .answered(let service, let stage, let outcome, let verdict):
            write(verdict == .dropped ? .warning : .debug, in: .push, "push") { line in
                line.member("service", service.rawValue)
                line.member("stage", stage.rawValue)
                line.member("outcome", outcome.name)
                if let reason = outcome.reason { line.member("reason", reason) }
                line.member("goesOutAgain", verdict.goesOutAgain)
            }
        case .expired(let service, let stage):
            write(.warning, in: .push, "push-expired") { line in
                line.member("service", service.rawValue)
                line.member("stage", stage.rawValue)
            }
        case .firstFailure(let service, let outcome):
            write(.warning, in: .push, "push-service-first-failure") { line in
                line.member("service", service.rawValue)
                line.member("outcome", outcome.name)
                line.member("reason", outcome.reason ?? "")
            }
        case .troubled(let service, let outcome):
            write(outcome.name == "unauthorized" ? .error : .warning, in: .push, "push-service-failed") { line in
                line.member("service", service.rawValue)
                line.member("outcome", outcome.name)
                line.member("reason", outcome.reason ?? "")
            }
        }
    }
}

extension PushOutcome {
    /// As the log and the metrics call it.
    var name: String {
        switch self {
        case .accepted: "accepted"
        case .gone: "gone"
        case .rejected: "rejected"
        case .again: "failed"
        case .unauthorized: "unauthorized"
        }
    }

    /// The service's word for it.
    fileprivate var reason: String? {
        switch self {
        case .accepted, .gone: nil
        case .rejected(let reason), .again(_, _, let reason), .unauthorized(let reason): reason
        }
    }
}

extension PushVerdict {
    fileprivate var goesOutAgain: Bool { if case .again = self { true } else { false } }
}
