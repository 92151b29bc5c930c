import Metrics
import Testing
import UseCases

@testable import hansang

@Suite("Figures of messages to phones")
struct PushMetricsTests {
    @Test("Each is counted once, by its service and what became of it")
    func counts() {
        let metrics = PushMetrics()
        metrics.add(.answered(.fcm, .revealed, .accepted, .accepted))
        metrics.add(.answered(.fcm, .revealed, .accepted, .accepted))
        metrics.add(.answered(.apns, .decided, .unauthorized("InvalidProviderToken"), .dropped))
        metrics.add(.troubled(.apns, .unauthorized("InvalidProviderToken")))
        metrics.add(.expired(.apns, .revealed))
        let scrape = Scrape(String(decoding: Exposition.text(of: metrics.families), as: UTF8.self))
        #expect(scrape[#"hansang_push_messages_total{service="fcm",outcome="accepted"}"#] == 2)
        #expect(scrape[#"hansang_push_messages_total{service="apns",outcome="unauthorized"}"#] == 1)
        #expect(scrape[#"hansang_push_messages_total{service="apns",outcome="expired"}"#] == 1)
        // Of these, what was given up.
        #expect(scrape[#"hansang_push_messages_dropped_total{service="apns"}"#] == 2)
        #expect(scrape[#"hansang_push_messages_dropped_total{service="fcm"}"#] == 0)
        #expect(scrape.values.values.reduce(0, +) == 4 + 2)
    }

    @Test(
        "Every outcome has a place",
        arguments: [
            (.accepted, "accepted"), (.gone(since: nil), "gone"), (.rejected("x"), "rejected"),
            (.again(after: nil, troubled: true, "x"), "failed"), (.unauthorized("x"), "unauthorized"),
        ] as [(PushOutcome, String)])
    func outcomes(outcome: PushOutcome, name: String) {
        let metrics = PushMetrics()
        metrics.add(.answered(.fcm, .revealed, outcome, .dropped))
        let scrape = Scrape(String(decoding: Exposition.text(of: metrics.families), as: UTF8.self))
        #expect(scrape[#"hansang_push_messages_total{service="fcm",outcome="\#(name)"}"#] == 1)
    }
}
