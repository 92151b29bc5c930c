import Dispatch
import MenuGame
import Synchronization

/// Has the watched rooms looked at when other servers change them: as the store tells, and for as long as it cannot tell, now and then.
///
/// Only those who listen depend on it. Whoever reads a room has the store asked how far it is.
final class Neighbours: Sendable {
    typealias Look = @Sendable (_ room: Identifier, _ pin: PIN) -> Void

    private struct State {
        var look: Look?
        var isSilent = false
        var isPolling = false
    }

    private let queue = DispatchQueue(label: "hansang.neighbours", qos: .userInitiated)
    private let state = Mutex(State())
    private let board: RoomBoard
    private let watchers: Watchers

    private static let pause = DispatchTimeInterval.milliseconds(500)

    init(board: RoomBoard, watchers: Watchers) {
        self.board = board
        self.watchers = watchers
    }

    /// `look` is to look at a room and to pass on what it sees. It must not block.
    func start(_ look: @escaping Look) { state.withLock { $0.look = look } }

    func hear(_ news: StoreNews) {
        switch news {
        case .changed(let room, let sequence):
            guard let pin = watchers.pin(of: room) else { return }
            if let published = board[pin], published.room.id == room, published.room.sequence >= sequence {
                // Most often it is what this server has changed itself, and everybody has heard of. But it may have been loaded for somebody who
                // read it before the notice came, and then those who watch have not.
                return watchers.changed(published)
            }
            state.withLock(\.look)?(room, pin)
        case .silent:
            let begins = state.withLock { state in
                state.isSilent = true
                defer { state.isPolling = true }
                return !state.isPolling
            }
            if begins { poll() }
        case .resumed:
            state.withLock { $0.isSilent = false }
            lookAtAll()
        }
    }

    private func poll() {
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self else { return }
            let goesOn = state.withLock { state in
                state.isPolling = state.isSilent
                return state.isPolling
            }
            guard goesOn else { return }
            lookAtAll()
            poll()
        }
    }

    private func lookAtAll() {
        guard let look = state.withLock(\.look) else { return }
        for (room, pin) in watchers.watched { look(room, pin) }
    }
}
