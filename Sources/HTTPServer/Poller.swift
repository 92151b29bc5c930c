import CEpoll
import Glibc

/// An epoll set, level-triggered: what was not read is reported again, so every handler may stop early.
struct Poller {
    let descriptor: Int32
    /// Wakes whoever waits for the set.
    let bell: Bell
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    /// What a descriptor is watched for, or what has happened to it.
    struct Events: OptionSet {
        let rawValue: UInt32
        static let input = Events(rawValue: EPOLLIN.rawValue)
        static let output = Events(rawValue: EPOLLOUT.rawValue)
        /// The client has shut its sending side, read or not.
        static let end = Events(rawValue: EPOLLRDHUP.rawValue)
        /// Input, reported once for each time that some comes.
        static let ring = Events(rawValue: EPOLLIN.rawValue | EPOLLET.rawValue)
        /// Both directions are shut, or the connection is broken; reported whether asked for or not.
        static let hangUp = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    init() throws(ListenError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(operation: "epoll_create1", code: errno) }
        do throws(ListenError) {
            bell = try Bell()
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        _ = add(bell.descriptor, for: .ring)
    }

    /// How many descriptors something has happened to, after at most so many milliseconds.
    mutating func poll(milliseconds: Int32) -> Int {
        let count = events.withUnsafeMutableBufferPointer { epoll_wait(descriptor, $0.baseAddress, Int32($0.count), milliseconds) }
        return max(0, Int(count))
    }

    subscript(index: Int) -> (descriptor: Int32, events: Events) {
        let event = events[index]
        return (event.data.fd, Events(rawValue: event.events))
    }

    func close() {
        Glibc.close(descriptor)
        bell.close()
    }

    func add(_ watched: Int32, for events: Events) -> Bool { control(EPOLL_CTL_ADD, watched, events) }
    func modify(_ watched: Int32, for events: Events) -> Bool { control(EPOLL_CTL_MOD, watched, events) }
    func remove(_ watched: Int32) { _ = control(EPOLL_CTL_DEL, watched, []) }

    private func control(_ operation: Int32, _ watched: Int32, _ events: Events) -> Bool {
        var event = epoll_event()
        event.events = events.rawValue
        event.data.fd = watched
        return epoll_ctl(descriptor, operation, watched, &event) == 0
    }
}
