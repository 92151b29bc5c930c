import MenuGame
import TestSupport
import Testing

@testable import UseCases

@Suite("A message") struct PushRulesTests {
    private let now = TestClock().now

    private func verdict(_ outcome: PushOutcome, attempts: Int = 0, random: UInt64 = 0, later: Int64 = 0) -> PushVerdict {
        PushRules.verdict(
            on: .sample(.apns, attempts: attempts, at: now), after: outcome, at: now.advanced(by: later), random: random)
    }

    private let fails = PushOutcome.again(after: nil, troubled: false, "why")

    @Test("that was accepted, or never will be, goes out no more") func ends() {
        #expect(verdict(.accepted) == .accepted)
        #expect(verdict(.rejected("BadTopic")) == .dropped)
    }

    @Test("is tried a bounded number of times") func attempts() {
        var attempts = 0
        while case .again(_, let next) = verdict(fails, attempts: attempts) {
            #expect(next == attempts + 1)
            attempts = next
        }
        #expect(attempts == Bounds.pushAttempts - 1)
        // A number that a store cannot have come to by itself traps nothing.
        #expect(verdict(fails, attempts: .max) == .dropped)
        #expect(verdict(fails, attempts: .min) != .dropped)
    }

    @Test("waits any time up to one that doubles with each attempt, and not beyond the longest") func backoff() {
        let (first, longest) = (Bounds.pushPause.lowerBound, Bounds.pushPause.upperBound)
        for (attempts, limit) in [(1, first), (2, 2 * first), (3, 4 * first), (40, longest), (Int.max, longest)] {
            let pauses = (0..<500).map { PushRules.jitter(attempts, upTo: Bounds.pushPause, TestRandom(seed: $0).next()) }
            #expect(pauses.allSatisfy { (0...limit).contains($0) })
            // Spread over all of it.
            #expect(pauses.contains { $0 < limit / 4 } && pauses.contains { $0 > limit / 4 * 3 })
        }
        #expect(PushRules.jitter(1, upTo: 1...Int64.max, .max) >= 0)
    }

    @Test("never comes sooner than the service asked") func retryAfter() {
        for random in [0, 1, UInt64.max, 12345] {
            guard case .again(let at, 1) = verdict(.again(after: .seconds(90), troubled: true, "why"), random: random) else {
                Issue.record("not again")
                return
            }
            #expect(at >= now.advanced(by: 90_000))
            #expect(at <= now.advanced(by: 90_000 + Bounds.pushPause.lowerBound))
        }
    }

    @Test("that would come after it has lost its worth is dropped") func expiry() {
        #expect(verdict(.again(after: .seconds(3600), troubled: true, "why")) == .dropped)
        #expect(verdict(.again(after: .seconds(3599), troubled: true, "why")) != .dropped)
        #expect(verdict(.unauthorized("why"), later: 3_600_000) == .dropped)
        #expect(verdict(.again(after: .seconds(Int64.max), troubled: true, "why")) == .dropped)
    }

    @Test("does not count it as an attempt that the service refuses us") func unauthorized() {
        #expect(verdict(.unauthorized("why"), attempts: 3) == .again(at: now, attempts: 3))
    }

    @Test("takes its device along that is gone, unless that has registered since") func gone() {
        let registered = PushMessage.sample(.apns, at: now).registration.registeredAt
        #expect(verdict(.gone(since: nil)) == .gone(registeredAt: registered))
        #expect(verdict(.gone(since: registered.advanced(by: 1))) == .gone(registeredAt: registered))
        #expect(verdict(.gone(since: registered)) == .dropped)
        #expect(verdict(.gone(since: registered.advanced(by: -1))) == .dropped)
    }
}

@Suite("The gate of a service") struct ServiceGateTests {
    private let trouble = PushOutcome.again(after: nil, troubled: true, "why")

    private func fail(_ gate: inout ServiceGate, times: Int, at now: Duration = .zero) -> [Bool] {
        (0..<times).map { _ in gate.note(trouble, at: now, random: .max) }
    }

    @Test("is open to as many as may be") func open() {
        #expect(ServiceGate().capacity(10, at: .zero) == 10)
    }

    @Test("shuts once it has failed so often in a row") func shuts() {
        var gate = ServiceGate()
        #expect(fail(&gate, times: Bounds.pushFailures - 1) == Array(repeating: false, count: Bounds.pushFailures - 1))
        #expect(gate.capacity(10, at: .zero) == 10)
        #expect(fail(&gate, times: 1) == [true])
        #expect(gate.capacity(10, at: .zero) == 0)
    }

    @Test("stays open for others while one device fails") func oneDevice() {
        var gate = ServiceGate()
        for _ in 0..<100 {
            _ = fail(&gate, times: 1)
            _ = gate.note(.accepted, at: .zero, random: 0)
            _ = gate.note(.again(after: .seconds(9), troubled: false, "TooManyRequests"), at: .zero, random: 0)
        }
        #expect(gate.capacity(10, at: .zero) == 10)
    }

    @Test("lets one through when its time has come, and the rest when that was answered") func probe() throws {
        var gate = ServiceGate()
        _ = fail(&gate, times: Bounds.pushFailures)
        let opensAt = try #require(gate.opensAt)
        #expect(gate.capacity(10, at: opensAt) == 1)
        gate.sent()
        #expect(gate.opensAt == nil)
        #expect(gate.capacity(10, at: opensAt) == 1)
        _ = gate.note(.rejected("why"), at: opensAt, random: 0)
        #expect(gate.capacity(10, at: opensAt) == 10)
    }

    @Test("stays shut longer each time, and not beyond the longest") func backoff() throws {
        var gate = ServiceGate()
        var now = Duration.zero
        _ = fail(&gate, times: Bounds.pushFailures)
        var longest = Duration.zero
        for _ in 0..<40 {
            let opensAt = try #require(gate.opensAt)
            longest = max(longest, opensAt - now)
            now = opensAt
            gate.sent()
            // Of an hour's failing it says so once.
            let isNews = gate.note(trouble, at: now, random: TestRandom(seed: UInt64(now.components.seconds)).next())
            #expect(!isNews)
        }
        #expect(longest > .milliseconds(Bounds.pushGatePause.upperBound / 4))
        #expect(longest <= .milliseconds(Bounds.pushGatePause.upperBound))
    }

    @Test("shuts at once where our credentials are refused, and for as long as the service asks") func atOnce() throws {
        var gate = ServiceGate()
        let isNews = gate.note(.unauthorized("why"), at: .zero, random: 0)
        #expect(isNews)
        #expect(try #require(gate.opensAt) >= Bounds.pushUnauthorizedPause)
        var other = ServiceGate()
        _ = fail(&other, times: Bounds.pushFailures)
        // Said by those that were on their way.
        _ = other.note(.again(after: .seconds(90), troubled: true, "why"), at: .seconds(1), random: 0)
        #expect(try #require(other.opensAt) >= .seconds(91))
    }
}
