import HTTP
import TestSupport
import Testing

/// The raw cases of `Tests/Conformance`: what RFC 9110 and 9112 allow as the answer to each, and where we demand the stricter one.
@Suite("Raw HTTP/1.1 cases")
struct RawCasesTests {
    @Test("Each is answered as the RFCs allow and as we demand", arguments: try RawCase.all())
    func answers(_ rawCase: RawCase) {
        let outcome = Conversation([rawCase.bytes], thenEnd: rawCase.halfClose == true)
        let expected = rawCase.expect
        let first = outcome.statuses.first.map(RawCase.className) ?? (outcome.isClosed ? "close" : "silence")
        #expect(expected.status.contains(first))
        if let demand = expected.demand { #expect(demand.contains(first)) }
        if let count = expected.responses {
            if first == "2xx" { #expect(outcome.statuses.count == count) } else { #expect(outcome.statuses.count <= max(1, count)) }
        }
        if let mustClose = expected.mustClose, mustClose || first == "2xx" { #expect(outcome.isClosed == mustClose) }
        if let body = expected.body, first == "2xx" { #expect(outcome.bodies.first == [UInt8](latin1: body)) }
        if expected.noBody == true { #expect(outcome.output.suffix(4) == Array("\r\n\r\n".utf8)) }
    }

    @Test("Each gives the same outcome at whatever byte it is split", arguments: try RawCase.all())
    func splits(_ rawCase: RawCase) {
        let ends = rawCase.halfClose == true
        var whole = Conversation([rawCase.bytes], thenEnd: ends)
        whole.invitations = 0  // a body that comes with its head needs no invitation
        func check(_ pieces: [[UInt8]]) -> Bool {
            var outcome = Conversation(pieces, thenEnd: ends)
            outcome.invitations = 0
            return outcome == whole
        }
        #expect(check(rawCase.bytes.singly))
        let count = rawCase.bytes.count
        // In the few cases that are a hundred kilobytes of one letter, the places where something can change.
        for position in 0...count where count < 2000 || position < 100 || position % 4096 < 2 || position > count - 10 {
            #expect(check(rawCase.bytes.cut(at: position)), "split at \(position)")
        }
    }
}
