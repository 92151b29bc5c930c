import CCurl
import CEpoll
import Dispatch
import Glibc

/// HTTP/2 over TLS by libcurl, many requests on few connections, which are kept.
///
/// libcurl's multi handle is driven from one serial queue (curl_multi_socket_action(3)): it says which sockets to watch and when to wake
/// it. As in `HTTPServer`, those are in one epoll set, and one source watches the set: libcurl may close a socket as soon as it has said
/// that it need not be watched, and to leave an epoll set takes no time, while to cancel a source does.
///
/// `@unchecked Sendable` because the handle and the transfers are touched on the queue alone, which every way in checks, and at the end,
/// when nobody else holds this.
public final class HTTPClient: @unchecked Sendable {
    private let queue = DispatchQueue(label: "hansang.push.http")
    private let multi: UnsafeMutableRawPointer
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let authorities: String?
    private let requestTimeout: Int
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var isClosed = false

    /// Why there is no client, in one line.
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameter authorities: a file of certificates (PEM) of those who vouch for the services; the system's where `nil`.
    public convenience init(authorities: String? = nil) throws(StartError) {
        try self.init(authorities: authorities, requestTimeout: PushLimits.requestTimeout)
    }

    /// - Parameter requestTimeout: milliseconds until a request is given up.
    init(authorities: String?, requestTimeout: Int) throws(StartError) {
        guard Self.isReady, let multi = curl_multi_init() else { throw StartError(description: "libcurl does not start") }
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            curl_multi_cleanup(multi)
            throw StartError(description: "there is no epoll set for libcurl: \(String(cString: strerror(errno)))")
        }
        self.multi = multi
        self.authorities = authorities
        self.requestTimeout = requestTimeout
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        let context = Unmanaged.passUnretained(self).toOpaque()
        hansang_curl_multi_on_socket(
            multi,
            { _, socket, wanted, context, known in
                guard let context else { return 0 }
                Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue().watch(socket, for: wanted, isKnown: known != nil)
                return 0
            }, context)
        hansang_curl_multi_on_timer(
            multi,
            { _, milliseconds, context in
                guard let context else { return 0 }
                Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue().wake(in: milliseconds)
                return 0
            }, context)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        set(CURLMOPT_MAX_HOST_CONNECTIONS, PushLimits.connectionsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, PushLimits.connections)
        set(CURLMOPT_MAXCONNECTS, PushLimits.connections)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, PushLimits.requestsPerConnection)
        start()
    }

    private func start() {
        let descriptor = descriptor
        source.setEventHandler { [weak self] in self?.poll() }
        // The set may be closed only when the source has let go of it.
        source.setCancelHandler { Glibc.close(descriptor) }
        timer.setEventHandler { [weak self] in self?.act(on: CURL_SOCKET_TIMEOUT, 0) }
        timer.schedule(deadline: .distantFuture)
        source.activate()
        timer.activate()
    }

    deinit {
        // Nobody is left to be told what to watch.
        hansang_curl_multi_on_socket(multi, nil, nil)
        hansang_curl_multi_on_timer(multi, nil, nil)
        for easy in transfers.keys { curl_multi_remove_handle(multi, easy) }
        curl_multi_cleanup(multi)
        source.cancel()
        timer.cancel()
    }

    /// Sends a request and calls `completion` once, on the client's queue, which it must not block.
    func send(_ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {
        queue.async { [self] in
            guard !isClosed else { return completion(.failure(HTTPFailure(description: "the client is closed"))) }
            guard transfers.count < PushLimits.requests else {
                return completion(.failure(HTTPFailure(description: "too many requests are under way")))
            }
            guard let transfer = Transfer(request, authorities: authorities, timeout: requestTimeout, completion: completion) else {
                return completion(.failure(HTTPFailure(description: "out of memory")))
            }
            transfers[transfer.easy] = transfer
            if curl_multi_add_handle(multi, transfer.easy) != CURLM_OK { end(transfer, CURLE_FAILED_INIT) }
        }
    }

    /// Gives up what is under way and takes nothing more.
    public func close() {
        queue.async { [self] in
            isClosed = true
            for transfer in Array(transfers.values) { end(transfer, CURLE_ABORTED_BY_CALLBACK) }
        }
    }

    // MARK: On the queue

    private func watch(_ socket: Int32, for wanted: Int32, isKnown: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        var event = epoll_event()
        event.data.fd = socket
        if wanted & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
        if wanted & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
        if wanted == CURL_POLL_REMOVE {
            epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, &event)
            return
        }
        epoll_ctl(descriptor, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
        // Any pointer will do to know it again.
        curl_multi_assign(multi, socket, multi)
    }

    /// libcurl must not be called from within, so even "now" is left to the timer.
    private func wake(in milliseconds: Int) {
        timer.schedule(deadline: milliseconds < 0 ? .distantFuture : .now() + .milliseconds(milliseconds))
    }

    private func poll() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        let count = epoll_wait(descriptor, &events, Int32(events.count), 0)
        for event in events.prefix(max(0, Int(count))) {
            var happened: Int32 = 0
            if event.events & EPOLLIN.rawValue != 0 { happened |= CURL_CSELECT_IN }
            if event.events & EPOLLOUT.rawValue != 0 { happened |= CURL_CSELECT_OUT }
            if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { happened |= CURL_CSELECT_ERR }
            act(on: event.data.fd, happened)
        }
    }

    private func act(on socket: Int32, _ happened: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, happened, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle, let transfer = transfers[easy] else {
                continue
            }
            // The message is gone as soon as the handle is.
            end(transfer, message.pointee.data.result)
        }
    }

    private func end(_ transfer: Transfer, _ code: CURLcode) {
        curl_multi_remove_handle(multi, transfer.easy)
        transfers[transfer.easy] = nil
        transfer.finish(code)
    }

    private func set(_ option: CURLMoption, _ value: Int) { hansang_curl_multi_set_long(multi, option, value) }
}
