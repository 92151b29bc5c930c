import API
import HTTP
import Metrics

/// Requests by method, route and status, and how long they took. To count one is three atomic additions.
final class RequestMetrics: Sendable {
    private let counts: Counts
    private let durations: Histogram

    /// The statuses that are told by number; the last stands for any other.
    private static let statuses: [Int?] =
        [
            200, 201, 204, 206, 304, 400, 401, 403, 404, 405, 406, 408, 409, 411, 412, 413, 414, 415, 417, 421, 422, 425, 428, 429, 431,
            500,
            501, 503, 505, 507,
        ] + [nil]
    /// The place in `statuses` of each from 200 on.
    private static let columns: [Int] = (200...599).map { statuses.firstIndex(of: $0) ?? statuses.count - 1 }
    /// Nanoseconds: from what a request takes here that finds its room in memory, to what nobody waits for.
    private static let bounds = [
        25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    init() {
        counts = Counts(RequestKind.all.count * Self.statuses.count)
        durations = Histogram(bounds: Self.bounds, rows: RequestKind.all.count)
    }

    /// - Parameter row: see `RequestKind`.
    func count(kind row: Int, _ status: Status, nanoseconds: Int) {
        let code = status.code - 200
        let column = Self.columns.indices.contains(code) ? Self.columns[code] : Self.statuses.count - 1
        counts.add(at: row * Self.statuses.count + column)
        durations.observe(nanoseconds, row: row)
    }

    var families: [Family] {
        let rows = RequestKind.all.map { kind in [("method", kind.method?.name ?? "other"), ("route", kind.route)] as Family.Labels }
        return [
            Family(.counter, "hansang_http_requests_total", "Requests answered, by method, route and status.") { [counts] in
                var samples: [Family.Sample] = []
                for (row, labels) in rows.enumerated() {
                    for (column, status) in Self.statuses.enumerated() {
                        let count = counts[row * Self.statuses.count + column]
                        guard count > 0 else { continue }
                        samples.append(Family.Sample(Double(count), labels + [("code", status.map(String.init) ?? "other")]))
                    }
                }
                return samples
            },
            .histogram(
                "hansang_http_request_duration_seconds",
                "From when a request was read whole to its answer; of a stream to its first byte, of a held answer to its end.",
                durations, scale: 1e-9, rows: rows),
        ]
    }
}
