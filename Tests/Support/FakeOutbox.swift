public import MenuGame
import Synchronization
public import UseCases

/// An outbox in memory.
public final class FakeOutbox: PushOutbox {
    private struct Entry {
        var message: PushMessage
        var dueAt: Instant
        var leasedUntil: Instant?
        /// Of the message that the lease is for.
        var leased: PushMessage.ID?
    }

    private struct Place: Hashable {
        let room: Identifier
        let registration: Int64
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var verdicts: [PushVerdict] = []
        var settlements = 0
        var leases = 0
        var failures = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Puts a stage in, in place of an older one of the same room and device.
    public func put(_ message: PushMessage) {
        let place = Place(room: message.notice.room, registration: message.registration.id)
        state.withLock { state in
            if let known = state.entries[place], known.message.notice.order >= message.notice.order { return }
            let former = state.entries[place]
            state.entries[place] = Entry(
                message: message, dueAt: message.notice.at, leasedUntil: former?.leasedUntil, leased: former?.leased)
        }
    }

    /// Has the next calls fail.
    public func fail(_ times: Int) { state.withLock { $0.failures = times } }

    /// How many messages wait.
    public var count: Int { state.withLock { $0.entries.count } }
    public var messages: [PushMessage] { state.withLock { $0.entries.values.map(\.message) } }
    public var verdicts: [PushVerdict] { state.withLock { $0.verdicts } }
    /// Calls of `settle` and `lease`.
    public var calls: (settle: Int, lease: Int) { state.withLock { ($0.settlements, $0.leases) } }

    public func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease {
        try failIfTold()
        return state.withLock { state in
            state.leases += 1
            let mine = state.entries.filter { $0.value.message.registration.platform.service == service }
            func dueAt(_ entry: Entry) -> Instant { max(entry.dueAt, entry.leasedUntil ?? entry.dueAt) }
            let due = mine.filter { dueAt($0.value) <= now }.sorted { dueAt($0.value) < dueAt($1.value) }.prefix(limit)
            for (place, entry) in due {
                state.entries[place]?.leasedUntil = end
                state.entries[place]?.leased = entry.message.id
            }
            let taken = Set(due.map(\.key))
            let rest = mine.filter { !taken.contains($0.key) }
            return PushLease(messages: due.map(\.value.message), nextDueAt: rest.values.map(dueAt).min())
        }
    }

    public func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError) {}

    public func settle(_ settlements: [PushSettlement]) throws(StoreError) {
        try failIfTold()
        state.withLock { state in
            state.settlements += 1
            for settlement in settlements {
                state.verdicts.append(settlement.verdict)
                let place = Place(room: settlement.message.room, registration: settlement.message.registration)
                guard var entry = state.entries[place], entry.leased == settlement.message else { continue }
                (entry.leasedUntil, entry.leased) = (nil, nil)
                guard entry.message.id == settlement.message || settlement.verdict.isGone else {
                    state.entries[place] = entry
                    continue
                }
                switch settlement.verdict {
                case .accepted, .dropped: state.entries[place] = nil
                case .gone: state.entries = state.entries.filter { $0.key.registration != place.registration }
                case .again(let at, let attempts):
                    entry.dueAt = at
                    entry.message = entry.message.tried(attempts)
                    state.entries[place] = entry
                }
            }
        }
    }

    private func failIfTold() throws(StoreError) {
        let fails = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if fails { throw StoreError("told to fail") }
    }
}

extension PushMessage {
    /// The same after so many attempts.
    public func tried(_ attempts: Int) -> PushMessage {
        PushMessage(registration: registration, notice: notice, attempts: attempts)
    }

    /// A stage of some room for some device.
    public static func sample(
        _ platform: PushPlatform, to token: String = "a1b2c3", room: String = "r0123456789abcdefghj", stage: PushStage = .revealed,
        sequence: Int = 7, registration: Int64 = 1, language: Language = .ko, attempts: Int = 0, at now: Instant = TestClock().now,
        lifetime: Int64 = 3_600_000
    ) -> PushMessage {
        PushMessage(
            registration: PushRegistration(
                id: registration, platform: platform, pushToken: token, language: language, registeredAt: now.advanced(by: -1000)),
            notice: PushNotice(
                room: Identifier(room), sequence: sequence, stage: stage, phase: stage == .decided ? .decided : .revealed, memberCount: 5,
                submissionCount: 4, at: now, expiresAt: now.advanced(by: lifetime)), attempts: attempts)
    }
}

extension PushVerdict {
    fileprivate var isGone: Bool { if case .gone = self { true } else { false } }
}
