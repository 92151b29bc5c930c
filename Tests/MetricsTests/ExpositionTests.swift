import Metrics
import Testing

@Suite("The text that Prometheus reads")
struct ExpositionTests {
    private func text(_ families: Family...) -> String { String(decoding: Exposition.text(of: families), as: UTF8.self) }

    @Test("Each family says what it is, then its series")
    func families() {
        let text = text(
            .counter("games_total", "Games played.") { 3 },
            Family(.gauge, "rooms", "Rooms.") {
                [Family.Sample(1.5, [("kind", "live"), ("node", "a")]), Family.Sample(0, [("kind", "old")])]
            },
            Family(.gauge, "nothing", "No value just now.") { [] })
        #expect(
            text == """
                # HELP games_total Games played.
                # TYPE games_total counter
                games_total 3
                # HELP rooms Rooms.
                # TYPE rooms gauge
                rooms{kind="live",node="a"} 1.5
                rooms{kind="old"} 0
                # HELP nothing No value just now.
                # TYPE nothing gauge

                """)
    }

    @Test("What would break a line is escaped")
    func escapes() {
        let text = text(Family(.gauge, "a", "a \\ and\na line") { [Family.Sample(1, [("l", "say \"\\\"\n")])] })
        #expect(
            text == #"""
                # HELP a a \\ and\na line
                # TYPE a gauge
                a{l="say \"\\\"\n"} 1

                """#)
    }

    @Test(
        "Numbers are written as they are read",
        arguments: [
            (0.0, "0"), (1e15, "1000000000000000"), (0.1, "0.1"), (-2.5, "-2.5"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
            (2.5e-5, "2.5e-05"), (0.1 + 0.2, "0.3"),
        ])
    func numbers(value: Double, expected: String) {
        #expect(text(.gauge("a", "A.") { value }).hasSuffix("\na \(expected)\n"))
    }

    @Test("A histogram counts each value in every bucket that it fits into, and adds the values up")
    func histogram() {
        let histogram = Histogram(bounds: [1_000_000, 10_000_000], rows: 3)
        for value in [0, 1_000_000, 1_000_001, 50_000_000] { histogram.observe(value, row: 1) }
        histogram.observe(7_000_000, row: 2)
        let rows: [Family.Labels] = [[("route", "/")], [("route", "/a")], [("route", "/b")]]
        #expect(
            text(.histogram("took_seconds", "Took.", histogram, scale: 1e-9, rows: rows)) == """
                # HELP took_seconds Took.
                # TYPE took_seconds histogram
                took_seconds_bucket{route="/a",le="0.001"} 2
                took_seconds_bucket{route="/a",le="0.01"} 3
                took_seconds_bucket{route="/a",le="+Inf"} 4
                took_seconds_sum{route="/a"} 0.052000001
                took_seconds_count{route="/a"} 4
                took_seconds_bucket{route="/b",le="0.001"} 0
                took_seconds_bucket{route="/b",le="0.01"} 1
                took_seconds_bucket{route="/b",le="+Inf"} 1
                took_seconds_sum{route="/b"} 0.007
                took_seconds_count{route="/b"} 1

                """)
    }

    @Test("A histogram of one row is told before anything was observed")
    func emptyHistogram() {
        let text = text(.histogram("size", "Size.", Histogram(bounds: [1])))
        #expect(text.contains(#"size_bucket{le="1"} 0"#) && text.hasSuffix("size_sum 0\nsize_count 0\n"))
    }

    @Test("What many threads add at once is all there, and there is nothing outside of the row")
    func counts() async {
        let counts = Counts(3)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { counts.add(2, at: 1) } } }
        }
        for index in [-1, 3, .max, .min] { counts.add(at: index) }
        #expect((-1...3).map { counts[$0] } == [0, 0, 16000, 0, 0])
    }
}
