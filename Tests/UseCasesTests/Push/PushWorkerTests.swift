import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("The push worker", .timeLimit(.minutes(3))) struct PushWorkerTests {
    /// Workers on one outbox, with a clock that stands still.
    private final class Desk: Sendable {
        let clock = TestClock()
        let outbox = FakeOutbox()
        let random = TestRandom(seed: 1)
        /// Milliseconds that a message may wait for: it does not expire however slow the machine is, and however fast time goes by.
        static let ages: Int64 = 1000 * 3_600_000
        private let reports = Mutex<[PushReport]>([])
        private let storeFailures = Mutex(0)

        func worker(_ senders: any PushSender...) -> PushWorker {
            PushWorker(
                outbox: outbox, senders: senders,
                environment: Environment(now: { self.clock.now }, random: { self.random.next() }),
                elapsed: { self.clock.elapsed }, storeFailed: { _ in self.storeFailures.withLock { $0 += 1 } },
                report: { report in self.reports.withLock { $0.append(report) } })
        }

        var troubles: Int {
            reports.withLock { $0.count { if case .troubled = $0 { true } else { false } } }
        }
        var firstFailures: Int {
            reports.withLock { $0.count { if case .firstFailure = $0 { true } else { false } } }
        }
        var expired: Int {
            reports.withLock { $0.count { if case .expired = $0 { true } else { false } } }
        }
        var failures: Int { storeFailures.withLock { $0 } }

        /// Lets time go by in steps, and the worker look at the clock after each, until `condition` comes true.
        func pass(_ worker: PushWorker, step: Int64 = 60_000, until condition: () -> Bool) async throws -> Bool {
            try await eventually {
                if condition() { return true }
                clock.advance(by: step)
                worker.wake()
                return false
            }
        }
    }

    @Test("sends what is due, writes down what came of it, and hears of the next by being woken") func sends() async throws {
        let desk = Desk()
        let sender = FakeSender()
        let worker = desk.worker(sender)
        desk.outbox.put(.sample(.apns, sequence: 1))
        worker.wake()
        #expect(try await eventually { desk.outbox.verdicts == [.accepted] })
        desk.outbox.put(.sample(.apns, sequence: 2))
        worker.wake()
        #expect(try await eventually { desk.outbox.verdicts == [.accepted, .accepted] })
        #expect(sender.sequences == [1, 2])
        #expect(desk.outbox.count == 0)
    }

    @Test("looks once for all who say that there may be something") func looks() async throws {
        let desk = Desk()
        let sender = FakeSender()
        let worker = desk.worker(sender)
        // It looks again by itself after a while, before which this may not have had its turn.
        #expect(try await eventually { desk.outbox.calls.lease >= 1 })
        for _ in 0..<1000 { worker.look() }
        desk.outbox.put(.sample(.apns))
        for _ in 0..<1000 { worker.look() }
        #expect(try await eventually { desk.outbox.verdicts == [.accepted] })
        #expect(desk.outbox.calls.lease < 100)
    }

    @Test("sends what was there before it began, unasked") func start() async throws {
        let desk = Desk()
        desk.outbox.put(.sample(.apns))
        let worker = desk.worker(FakeSender())
        #expect(try await eventually { desk.outbox.count == 0 })
        withExtendedLifetime(worker) {}
    }

    @Test("has no more in hand than it may, and gets to the end of any number") func bounded() async throws {
        let desk = Desk()
        let sender = FakeSender { _ in nil }
        for number in 1...1000 { desk.outbox.put(.sample(.apns, registration: Int64(number))) }
        let worker = desk.worker(sender)
        #expect(
            try await eventually {
                sender.answerWaiting()
                return desk.outbox.count == 0
            })
        #expect(sender.sent.count == 1000)
        #expect(sender.most <= Bounds.pushesInFlight)
        // Many share a transaction.
        #expect(desk.outbox.calls.lease < 100)
        withExtendedLifetime(worker) {}
    }

    @Test("tries again what failed, until it is accepted or has had its attempts") func retries() async throws {
        let desk = Desk()
        let sender = FakeSender { $0.attempts < 3 ? .again(after: nil, troubled: false, "why") : .accepted }
        desk.outbox.put(.sample(.apns, lifetime: Desk.ages))
        let worker = desk.worker(sender)
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(sender.sent.map(\.attempts) == [0, 1, 2, 3])
        sender.answer { _ in .again(after: nil, troubled: false, "why") }
        desk.outbox.put(.sample(.apns, sequence: 8, at: desk.clock.now, lifetime: Desk.ages))
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(sender.sent.count == 4 + Bounds.pushAttempts)
        #expect(desk.outbox.verdicts.last == .dropped)
    }

    @Test("sends a newer stage in place of what failed, with fresh attempts") func supersedes() async throws {
        let desk = Desk()
        let sender = FakeSender { $0.notice.sequence == 1 ? .again(after: .seconds(600), troubled: false, "why") : .accepted }
        desk.outbox.put(.sample(.apns, stage: .allSubmitted, sequence: 1))
        let worker = desk.worker(sender)
        #expect(try await eventually { desk.outbox.verdicts.count == 1 })
        desk.outbox.put(.sample(.apns, stage: .decided, sequence: 2))
        worker.wake()
        #expect(try await eventually { desk.outbox.count == 0 })
        #expect(sender.sequences == [1, 2])
        #expect(sender.sent.last?.attempts == 0)
    }

    @Test("sends a newer stage only when the older is no longer on its way, and the older no more") func order() async throws {
        let desk = Desk()
        let sender = FakeSender { $0.notice.sequence == 1 ? nil : .accepted }
        desk.outbox.put(.sample(.apns, sequence: 1))
        let worker = desk.worker(sender)
        #expect(try await eventually { sender.waiting == 1 })
        desk.outbox.put(.sample(.apns, stage: .decided, sequence: 2))
        desk.outbox.put(.sample(.apns, registration: 2))
        worker.wake()
        #expect(try await eventually { sender.sent.count == 2 })
        #expect(sender.sent.last?.registration.id == 2)
        sender.answerWaiting(.again(after: nil, troubled: false, "why"))
        #expect(try await eventually { desk.outbox.count == 0 })
        #expect(sender.sent.filter { $0.registration.id == 1 }.map(\.notice.sequence) == [1, 2])
    }

    @Test("never sends again what was accepted, however often it is put in") func accepted() async throws {
        let desk = Desk()
        let sender = FakeSender()
        desk.outbox.put(.sample(.apns, stage: .decided))
        let worker = desk.worker(sender)
        #expect(try await eventually { desk.outbox.count == 0 })
        for _ in 0..<10 { worker.wake() }
        let looks = desk.outbox.calls.lease
        #expect(try await desk.pass(worker, step: 60_000) { desk.outbox.calls.lease > looks + 3 })
        #expect(sender.sent.count == 1)
    }

    @Test("drops what has lost its worth without sending it") func expiry() async throws {
        let desk = Desk()
        let sender = FakeSender()
        desk.outbox.put(.sample(.apns))
        desk.clock.advance(by: 3_600_000)
        let worker = desk.worker(sender)
        #expect(try await eventually { desk.outbox.verdicts == [.dropped] })
        #expect(sender.sent.isEmpty)
        #expect(desk.expired == 1)
        withExtendedLifetime(worker) {}
    }

    @Test("holds up nobody for a device that fails or is slow") func oneDevice() async throws {
        let desk = Desk()
        let sender = FakeSender { message in
            switch message.registration.id {
            case 1: nil
            case 2: .again(after: nil, troubled: true, "why")
            default: .accepted
            }
        }
        for number in 1...600 { desk.outbox.put(.sample(.apns, registration: Int64(number))) }
        let worker = desk.worker(sender)
        #expect(try await eventually { desk.outbox.count == 2 })
        #expect(sender.waiting == 1)
        #expect(desk.troubles == 0)
        withExtendedLifetime(worker) {}
    }

    @Test("holds up no service for another that is silent or fails") func oneService() async throws {
        let desk = Desk()
        let silent = FakeSender(.fcm) { _ in nil }
        let sound = FakeSender(.apns)
        for number in 1...600 {
            desk.outbox.put(.sample(.fcm, registration: Int64(number)))
            desk.outbox.put(.sample(.apns, registration: Int64(1000 + number)))
        }
        let worker = desk.worker(silent, sound)
        #expect(try await eventually { sound.sent.count == 600 && desk.outbox.count == 600 })
        #expect(try await eventually { silent.sent.count == Bounds.pushesInFlight })
        withExtendedLifetime(worker) {}
    }

    @Test("leaves a service in peace that is down for an hour, which costs nothing but its own messages") func outage() async throws {
        let desk = Desk()
        let down = FakeSender(.fcm) { _ in .again(after: nil, troubled: true, "Couldn't connect to server") }
        let sound = FakeSender(.apns)
        for number in 1...600 { desk.outbox.put(.sample(.fcm, registration: Int64(number))) }
        let worker = desk.worker(down, sound)
        let end = desk.clock.now.advanced(by: 3_600_000)
        var number: Int64 = 10_000
        while desk.clock.now < end {
            number += 1
            desk.outbox.put(.sample(.apns, registration: number, at: desk.clock.now))
            desk.clock.advance(by: 300_000)
            worker.wake()
            let count = Int(number - 10_000)
            #expect(try await eventually { sound.sent.count == count })
        }
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(sound.sent.count == 12)
        // Not one for each message: the first handful, and then one at a time.
        #expect(down.sent.count < 500)
        #expect(desk.outbox.verdicts.count { $0 == .accepted } == 12)
        // It is as good as ever once it is back.
        down.answer { _ in .accepted }
        desk.outbox.put(.sample(.fcm, sequence: 8, registration: 1, at: desk.clock.now, lifetime: Desk.ages))
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(desk.outbox.verdicts.last == .accepted)
    }

    @Test("lets nothing out to a service that refuses us, says so once, and begins again where it left off") func refused() async throws {
        let desk = Desk()
        let sender = FakeSender { _ in .unauthorized("InvalidProviderToken") }
        for number in 1...600 { desk.outbox.put(.sample(.apns, registration: Int64(number), lifetime: Desk.ages)) }
        let worker = desk.worker(sender)
        #expect(try await eventually { desk.outbox.verdicts.count == Bounds.pushesInFlight })
        #expect(desk.troubles == 1)
        #expect(desk.outbox.messages.allSatisfy { $0.attempts == 0 })
        sender.answer { _ in .accepted }
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(desk.outbox.verdicts.count { $0 == .accepted } == 600)
    }

    @Test("says when a service fails that did not until now, once until it answers again") func firstFailure() async throws {
        let desk = Desk()
        let sender = FakeSender { _ in .again(after: nil, troubled: true, "HTTP 503") }
        desk.outbox.put(.sample(.apns, sequence: 1, registration: 1, lifetime: Desk.ages))
        let worker = desk.worker(sender)
        #expect(try await desk.pass(worker) { sender.sent.count == 3 })
        #expect(try await eventually { desk.outbox.verdicts.count == 3 })
        #expect(desk.firstFailures == 1 && desk.troubles == 0)
        sender.answer { _ in .accepted }
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        sender.answer { _ in .again(after: nil, troubled: true, "HTTP 503") }
        desk.outbox.put(.sample(.apns, sequence: 2, registration: 2, at: desk.clock.now, lifetime: Desk.ages))
        #expect(try await desk.pass(worker) { desk.firstFailures == 2 })
    }

    @Test("forgets a device that is gone, with all that waits for it") func gone() async throws {
        let desk = Desk()
        let sender = FakeSender { $0.notice.room.text == "a" ? .gone(since: nil) : nil }
        let message = PushMessage.sample(.apns, room: "a")
        desk.outbox.put(message)
        let worker = desk.worker(sender)
        desk.outbox.put(.sample(.apns, room: "b", at: desk.clock.now.advanced(by: 1000)))
        worker.wake()
        #expect(try await eventually { desk.outbox.count == 0 })
        #expect(desk.outbox.verdicts == [.gone(registeredAt: message.registration.registeredAt)])
    }

    @Test("writes down what came of a message as soon as the store can be written again, and sends it once") func storeFailure()
        async throws
    {
        let desk = Desk()
        let sender = FakeSender { _ in nil }
        desk.outbox.put(.sample(.apns))
        let worker = desk.worker(sender)
        #expect(try await eventually { sender.waiting == 1 })
        desk.outbox.fail(3)
        sender.answerWaiting()
        #expect(try await desk.pass(worker, step: 1) { desk.outbox.verdicts == [.accepted] })
        #expect(desk.failures >= 1)
        #expect(sender.sent.count == 1)
    }

    @Test("sends again what a worker before it had taken and never wrote down, under the same id") func died() async throws {
        let desk = Desk()
        let silent = FakeSender { _ in nil }
        desk.outbox.put(.sample(.apns, lifetime: Desk.ages))
        var first: PushWorker? = desk.worker(silent)
        #expect(try await eventually { silent.waiting == 1 })
        withExtendedLifetime(first) {}
        first = nil
        let sender = FakeSender()
        let worker = desk.worker(sender)
        #expect(try await desk.pass(worker) { desk.outbox.count == 0 })
        #expect(desk.clock.now >= TestClock().now.advanced(by: Bounds.pushLease))
        #expect(sender.sent.map(\.id) == silent.sent.map(\.id))
    }

    @Test("that is stopped takes nothing more, and is done when what is on its way is written down") func stop() async throws {
        let desk = Desk()
        let sender = FakeSender { _ in nil }
        desk.outbox.put(.sample(.apns, registration: 1))
        let worker = desk.worker(sender)
        #expect(try await eventually { sender.waiting == 1 })
        let isDone = Mutex(false)
        worker.stop { isDone.withLock { $0 = true } }
        desk.outbox.put(.sample(.apns, registration: 2))
        worker.wake()
        #expect(!isDone.withLock { $0 })
        sender.answerWaiting()
        #expect(try await eventually { isDone.withLock { $0 } })
        #expect(desk.outbox.verdicts == [.accepted])
        #expect(sender.sent.count == 1)
    }

    @Test("that is stopped blames nobody for what it gave up: no attempt is lost, and no service is called broken") func interrupted()
        async throws
    {
        let desk = Desk()
        let sender = FakeSender { _ in nil }
        for registration in 1...9 { desk.outbox.put(.sample(.apns, registration: Int64(registration))) }
        let worker = desk.worker(sender)
        #expect(try await eventually { sender.waiting == 9 })
        let isDone = Mutex(false)
        worker.stop { isDone.withLock { $0 = true } }
        sender.answerWaiting(.again(after: nil, troubled: true, "the client is closed"))
        #expect(try await eventually { isDone.withLock { $0 } })
        #expect(desk.outbox.verdicts == Array(repeating: .again(at: desk.clock.now, attempts: 0), count: 9))
        #expect(desk.firstFailures == 0 && desk.troubles == 0)
    }
}
