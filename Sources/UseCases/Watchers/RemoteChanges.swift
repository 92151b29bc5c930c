import Dispatch
import MenuGame
import Synchronization

/// Brings to the watchers what other servers change: what the store tells of, what may have been missed while it could not tell, and, as a
/// net below both, now and then every room that is watched.
///
/// Only those who listen depend on it. Whoever reads a room has the store asked how far it is.
final class RemoteChanges: Sendable {
    private struct State {
        var comparisons = Comparisons()
        var isComparing = false
        /// Whether the store tells nothing, so that all have to be looked at all the time.
        var isSilent = false
    }

    private let queue = DispatchQueue(label: "hansang.remote-changes")
    private let state = Mutex(State())
    private let store: any RoomStore
    private let loader: RoomLoader
    private let board: RoomBoard
    private let watchers: Watchers
    private let observer: RoomObserver

    /// While nothing is told, and after the store could not be asked.
    private static let pause = DispatchTimeInterval.milliseconds(500)
    /// From one look at all that is watched to the next.
    private static let round = DispatchTimeInterval.seconds(15)

    init(store: any RoomStore, loader: RoomLoader, board: RoomBoard, watchers: Watchers, observer: RoomObserver) {
        self.store = store
        self.loader = loader
        self.board = board
        self.watchers = watchers
        self.observer = observer
    }

    /// Listens to the store.
    func start() {
        store.listen { [weak self] news in self?.hear(news) }
        goRound()
    }

    private func hear(_ news: StoreNews) {
        switch news {
        case .changed(let room, let sequence):
            observer.neighbourChanged()
            guard let pin = watchers.pin(of: room) else { return }
            if let published = board[pin], published.room.id == room, published.room.sequence >= sequence {
                // Most often it is what this server has changed itself, and everybody has heard of. But it may have been loaded for
                // somebody who read it before the notice came, and then those who watch have not.
                return watchers.changed(published)
            }
            compare([room])
        case .silent:
            state.withLock { $0.isSilent = true }
            compare(watchers.watched.keys)
        case .resumed:
            state.withLock { state in
                state.isSilent = false
                state.comparisons.forgive()
            }
            compare(watchers.watched.keys)
        }
    }

    private func goRound() {
        queue.asyncAfter(deadline: .now() + Self.round) { [weak self] in
            guard let self else { return }
            compare(watchers.watched.keys)
            goRound()
        }
    }

    private func compare(_ rooms: some Sequence<Identifier>) { begin { $0.add(rooms) } }

    private func begin(_ change: (inout Comparisons) -> Void) {
        let begins = state.withLock { state in
            change(&state.comparisons)
            defer { state.isComparing = true }
            return !state.isComparing
        }
        if begins { queue.async { self.compareDue() } }
    }

    private func compareDue() {
        dispatchPrecondition(condition: .onQueue(queue))
        let questions = state.withLock { $0.comparisons.take() }
        var answered = 0
        do throws(StoreError) {
            for question in questions {
                note(try compareNow(question), of: question)
                answered += 1
            }
        } catch {
            // A store that cannot be asked about these rooms cannot be asked about the others.
            observer.storeFailed(error)
        }
        let unanswered = questions[answered...]
        let (goesOn, isAtOnce) = state.withLock { state in
            let isAtOnce = !state.comparisons.isEmpty && unanswered.isEmpty
            state.comparisons.putBack(unanswered.joined())
            if state.isSilent { state.comparisons.add(watchers.watched.keys) }
            state.isComparing = !state.comparisons.isEmpty || state.isSilent
            return (state.isComparing, isAtOnce)
        }
        guard goesOn else { return }
        if isAtOnce {
            queue.async { self.compareDue() }
        } else {
            queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.compareDue() }
        }
    }

    private func note(_ unreadable: [Identifier], of rooms: [Identifier]) {
        for (room, count, pause) in state.withLock({ $0.comparisons.note(unreadable, of: rooms) }) {
            queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.begin { $0.retry(room, after: count) } }
        }
    }

    /// - Returns: the rooms that could not be read.
    private func compareNow(_ rooms: [Identifier]) throws(StoreError) -> [Identifier] {
        let versions = try store.versions(of: rooms)
        var behind: [PIN: Identifier] = [:]
        for room in rooms {
            guard let pin = watchers.pin(of: room) else { continue }
            if let published = board[pin], published.room.id == room, published.version == versions[room] {
                watchers.changed(published)
            } else {
                behind[pin] = room
            }
        }
        var failed: [Identifier] = []
        let pins = Array(behind.keys)
        for start in stride(from: 0, to: pins.count, by: Bounds.roomsPerLoad) {
            for (pin, answer) in askEach(Array(pins[start...].prefix(Bounds.roomsPerLoad)), loader.publish) {
                guard let room = behind[pin] else { continue }
                switch answer {
                case .success(let published?) where published.room.id == room: watchers.changed(published)
                case .success:
                    // Over, or its PIN is another's by now.
                    board.remove(pin, ofRoom: room)
                    watchers.end(room)
                case .failure(let error):
                    observer.storeFailed(error)
                    failed.append(room)
                }
            }
        }
        return failed
    }
}
