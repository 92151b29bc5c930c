/// One metric with all its series: what it is called, and where its values come from when somebody asks.
public struct Family: Sendable {
    public typealias Labels = [(name: String, value: String)]

    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// One line of the exposition.
    public struct Sample: Sendable {
        /// Behind the family's name: `_bucket`, `_sum`, `_count`, or nothing.
        var suffix = ""
        let labels: Labels
        let value: Double

        public init(_ value: Double, _ labels: Labels = []) {
            self.labels = labels
            self.value = value
        }

        init(_ suffix: String, _ value: Double, _ labels: Labels) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    public let name: String
    public let help: String
    public let kind: Kind
    let samples: @Sendable () -> [Sample]

    /// - Parameters:
    ///   - name: by Prometheus' conventions: what it counts, its unit in full, and `_total` at the end of a counter's.
    ///   - samples: called for each scrape, on the thread of whoever answers it.
    public init(_ kind: Kind, _ name: String, _ help: String, samples: @escaping @Sendable () -> [Sample]) {
        self.kind = kind
        self.name = name
        self.help = help
        self.samples = samples
    }

    /// A family of one series.
    public static func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double) -> Family {
        Family(.gauge, name, help) { [Sample(value())] }
    }

    /// A family of one series that only rises.
    public static func counter(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double) -> Family {
        Family(.counter, name, help) { [Sample(value())] }
    }

    /// A histogram whose rows are told apart by labels; rows that nothing was observed in are left out.
    ///
    /// - Parameter scale: the exposition's unit in that of the observations: 1e-9 where nanoseconds are observed and seconds are told.
    public static func histogram(
        _ name: String, _ help: String, _ histogram: Histogram, scale: Double = 1, rows: [Labels] = [[]]
    ) -> Family {
        Family(.histogram, name, help) {
            var samples: [Sample] = []
            for (row, labels) in rows.enumerated() {
                let (cumulative, count, sum) = histogram.distribution(row: row)
                guard count > 0 || rows.count == 1 else { continue }
                for (bound, count) in zip(histogram.bounds, cumulative) {
                    samples.append(Sample("_bucket", Double(count), labels + [("le", text(Double(bound) * scale))]))
                }
                samples.append(Sample("_bucket", Double(count), labels + [("le", "+Inf")]))
                samples.append(Sample("_sum", Double(sum) * scale, labels))
                samples.append(Sample("_count", Double(count), labels))
            }
            return samples
        }
    }
}
