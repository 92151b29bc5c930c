import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Whether the store takes writes") struct ReadinessTests {
    /// A store that answers when it is told to, and a clock that is turned by hand.
    final class Desk: Sendable {
        struct State {
            var elapsed = Duration.zero
            var alarms: [(at: Duration, ring: @Sendable () -> Void)] = []
            var trials: [@Sendable (Bool) -> Void] = []
            var answers: [Bool] = []
        }

        let state = Mutex(State())

        func advance(by step: Duration) {
            let due = state.withLock { state in
                state.elapsed += step
                defer { state.alarms.removeAll { $0.at <= state.elapsed } }
                return state.alarms.filter { $0.at <= state.elapsed }
            }
            for alarm in due { alarm.ring() }
        }

        func ask(_ readiness: Readiness) {
            readiness.ask({ found in state.withLock { $0.trials.append(found) } }) { answer in
                self.state.withLock { $0.answers.append(answer) }
            }
        }

        /// The trial that was begun last comes to an end.
        func find(_ isWritable: Bool) { state.withLock { $0.trials.last }?(isWritable) }

        var trials: Int { state.withLock(\.trials.count) }
        /// What was said since it was looked at last.
        func answers() -> [Bool] {
            state.withLock { state in
                defer { state.answers = [] }
                return state.answers
            }
        }
    }

    private let desk = Desk()
    private let readiness: Readiness

    init() {
        let start = ContinuousClock.now
        readiness = Readiness(
            now: { [desk] in start + desk.state.withLock(\.elapsed) },
            later: { [desk] pause, ring in desk.state.withLock { $0.alarms.append(($0.elapsed + pause, ring)) } })
    }

    @Test("is found out once for all who ask meanwhile, and told again for a second") func once() {
        for _ in 1...3 { desk.ask(readiness) }
        #expect(desk.answers() == [])
        desk.find(true)
        #expect(desk.answers() == [true, true, true])
        desk.advance(by: .milliseconds(999))
        desk.ask(readiness)
        #expect(desk.answers() == [true])
        #expect(desk.trials == 1)
        desk.advance(by: .milliseconds(1))
        desk.ask(readiness)
        desk.find(false)
        #expect(desk.answers() == [false])
        #expect(desk.trials == 2)
    }

    @Test("is denied within a second while it hangs, at once to whoever asks later, and told as found when it ends") func hanging() {
        desk.ask(readiness)
        desk.advance(by: .milliseconds(900))
        desk.ask(readiness)
        #expect(desk.answers() == [])
        desk.advance(by: .milliseconds(100))
        #expect(desk.answers() == [false, false])
        desk.advance(by: .seconds(60))
        desk.ask(readiness)
        #expect(desk.answers() == [false])
        #expect(desk.trials == 1)
        desk.find(true)
        #expect(desk.answers() == [])
        desk.ask(readiness)
        #expect(desk.answers() == [true])
    }

    @Test("is not denied by the clock of a trial that has ended") func ended() {
        desk.ask(readiness)
        desk.find(true)
        // As late as may be after its beginning, so that the first clock rings while the second trial goes on.
        desk.state.withLock { $0.elapsed = .milliseconds(999) }
        desk.state.withLock { $0.alarms[0].at = .milliseconds(1500) }
        desk.advance(by: .milliseconds(100))
        desk.ask(readiness)
        #expect(desk.trials == 2)
        desk.advance(by: .milliseconds(500))
        #expect(desk.answers() == [true])
        desk.find(true)
        #expect(desk.answers() == [true])
    }

    @Test("is denied while a commit hangs, and so is said to nobody for ever", .timeLimit(.minutes(1))) func commitHangs() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        #expect(table.store.gate.wait(timeout: .now() + 5) == .success)
        let joining = table.joining(pin, as: 2)
        let asked = Pending { table.rooms.isReady($0) }
        #expect(try await asked.answer == false)
        table.store.gate.signal()
        _ = try await joining.answer.get()
        #expect(try await eventually { try await Pending { table.rooms.isReady($0) }.answer })
    }
}
