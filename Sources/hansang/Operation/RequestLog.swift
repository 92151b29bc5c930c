import API
import HTTP
import JSON

/// The line of every request in the log.
final class RequestLog: Sendable {
    private let log: Log
    private let good = Log.Heading(.info, in: .http, "request")
    private let bad = Log.Heading(.warning, in: .http, "request")
    /// The members that tell the method and the route, by the numbers of `RequestKind`.
    private let kinds: [[UInt8]] = RequestKind.all.map { kind in
        var writer = JSONWriter(reserving: 64)
        writer.member("method", kind.method?.name ?? "(other)")
        writer.member("route", kind.route)
        return writer.bytes
    }

    init(_ log: Log) { self.log = log }

    /// - Parameter kind: see `RequestKind`.
    func write(_ access: Access, kind: Int, nanoseconds: Int) {
        log.write(access.status.code >= 500 ? bad : good) { line in
            line.member("id", access.requestID)
            if let trace = access.trace {
                line.member("trace", trace.traceID)
                line.member("parent", trace.parentID)
            }
            line.members(encoded: kinds[kind])
            line.member("status", access.status.code)
            line.member("microseconds", nanoseconds / 1000)
        }
    }

    /// A request that the protocol refused before there was one.
    func writeRefused(id: String, status: Int, nanoseconds: Int) {
        log.write(good) { line in
            line.member("id", id)
            line.member("method", "(none)")
            line.member("route", "(none)")
            line.member("status", status)
            line.member("microseconds", nanoseconds / 1000)
        }
    }
}
