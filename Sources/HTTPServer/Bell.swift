import CEpoll
import Glibc

/// What wakes a loop from another thread: an event descriptor in its epoll set. Nobody needs to read it, since the set reports it once
/// for each ring.
struct Bell {
    let descriptor: Int32

    init() throws(ListenError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(operation: "eventfd", code: errno) }
    }

    func ring() { eventfd_write(descriptor, 1) }

    /// Only when nobody can ring any more: the number may soon be another file's.
    func close() { Glibc.close(descriptor) }
}
