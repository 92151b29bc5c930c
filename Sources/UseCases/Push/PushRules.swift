import MenuGame

/// How often and how soon a message is tried again. Pure: what time it is and what is drawn are given.
enum PushRules {
    /// What is to become of `message` after `outcome`.
    ///
    /// - Parameter random: for the jitter.
    static func verdict(on message: PushMessage, after outcome: PushOutcome, at now: Instant, random: UInt64) -> PushVerdict {
        switch outcome {
        case .accepted: return .accepted
        case .rejected: return .dropped
        case .gone(let since):
            // APNs says until when the token was good. A device that registered later has it again.
            if let since, since <= message.registration.registeredAt { return .dropped }
            return .gone(registeredAt: message.registration.registeredAt)
        case .again(let after, _, _):
            guard message.attempts < Bounds.pushAttempts - 1 else { return .dropped }
            let attempts = message.attempts + 1
            let pause = (after?.milliseconds ?? 0) + jitter(attempts, upTo: Bounds.pushPause, random)
            return again(message, at: now.advanced(by: pause), attempts: attempts)
        case .unauthorized:
            // It is not the message's fault, and the service is not asked for a while.
            return interrupted(message, at: now)
        }
    }

    /// What is to become of a message that was given up: it goes out as if it had not been tried.
    static func interrupted(_ message: PushMessage, at now: Instant) -> PushVerdict {
        again(message, at: now, attempts: message.attempts)
    }

    /// Milliseconds: any number from none to the base doubled with each attempt ("full jitter": Brooker, Exponential Backoff And Jitter,
    /// AWS 2015), so that those who failed together do not come again together.
    static func jitter(_ attempts: Int, upTo pause: ClosedRange<Int64>, _ random: UInt64) -> Int64 {
        let doublings = min(max(attempts - 1, 0), 30)
        let (longest, overflow) = pause.lowerBound.multipliedReportingOverflow(by: 1 << doublings)
        let limit = overflow ? pause.upperBound : min(longest, pause.upperBound)
        return Int64(random % UInt64(max(limit, 0) + 1))
    }

    private static func again(_ message: PushMessage, at instant: Instant, attempts: Int) -> PushVerdict {
        instant < message.notice.expiresAt ? .again(at: instant, attempts: attempts) : .dropped
    }
}

extension Duration {
    /// Whole ones; as many as fit where it is longer than any clock will show.
    var milliseconds: Int64 {
        let (seconds, fraction) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) / 2 : milliseconds + fraction
    }
}
