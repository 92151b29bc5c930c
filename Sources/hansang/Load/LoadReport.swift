/// How long the requests of a load took, by what they were for, and what went wrong.
struct LoadReport {
    private var nanoseconds: [LoadGame.Step: [Int]] = [:]
    /// How often each thing went wrong.
    private(set) var faults: [String: Int] = [:]

    mutating func note(_ step: LoadGame.Step, _ took: Duration, fault: String?) {
        nanoseconds[step, default: []].append(took.nanoseconds)
        if let fault { faults["\(step.rawValue): \(fault)", default: 0] += 1 }
    }

    mutating func add(_ other: LoadReport) {
        for (step, values) in other.nanoseconds { nanoseconds[step, default: []] += values }
        faults.merge(other.faults) { $0 + $1 }
    }

    var requests: Int { nanoseconds.values.reduce(0) { $0 + $1.count } }

    /// The table, a line each, for a load that took so long.
    func table(of duration: Duration) -> String {
        let seconds = max(1e-9, Double(duration.nanoseconds) / 1e9)
        let titles = ["requests", "a second", "p50 ms", "p90 ms", "p99 ms", "max ms"]
        var lines = [padded("", 8, left: true) + titles.map { padded($0, 11) }.joined()]
        let rows = LoadGame.Step.allCases.map { ($0.rawValue, nanoseconds[$0] ?? []) } + [("all", nanoseconds.values.flatMap(\.self))]
        for (name, values) in rows where !values.isEmpty {
            let sorted = values.sorted()
            let figures = ["\(values.count)", decimal(Double(values.count) / seconds, 0)]
            let percentiles = [50, 90, 99, 100].map { decimal(Double(Self.percentile($0, of: sorted)) / 1e6, 2) }
            lines.append(padded(name, 8, left: true) + (figures + percentiles).map { padded($0, 11) }.joined())
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The smallest value that so many of a hundred do not exceed; 0 of none.
    static func percentile(_ percent: Int, of sorted: [Int]) -> Int {
        guard !sorted.isEmpty else { return 0 }
        return sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
}

/// A number with so many places behind the point.
func decimal(_ value: Double, _ places: Int) -> String {
    let scale = [1.0, 10, 100, 1000][min(max(places, 0), 3)]
    let scaled = Int((value * scale).rounded())
    guard places > 0 else { return "\(scaled)" }
    let fraction = "\(abs(scaled) % Int(scale))"
    return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
}

private func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(left ? 0 : 1, width - text.count))
    return left ? text + space : space + text
}
