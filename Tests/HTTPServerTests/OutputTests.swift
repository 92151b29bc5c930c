import Testing

@testable import HTTPServer

@Suite("What a connection has to send") struct OutputTests {
    private let output = Output(keeping: 4096)

    private func write(_ count: Int) { output.write { $0.append(contentsOf: repeatElement(7, count: count)) } }

    /// Bytes for which there is memory.
    private var capacity: Int { output.write { $0.capacity } }

    @Test("is gathered where the connection before has had its own, and without copies") func kept() {
        write(1000)
        let kept = capacity
        #expect(output.count == 1000)
        output.reuse(output.take())
        #expect(output.isEmpty)
        #expect(capacity == kept)
        write(1000)
        #expect(capacity == kept)
        #expect(output.bytes == Array(repeating: 7, count: 1000))
    }

    @Test("takes no more memory once it is out, or is to go nowhere, than may be kept", arguments: [false, true])
    func givenBack(isSent: Bool) {
        for _ in 0..<3 {
            write(1_000_000)
            #expect(capacity >= 1_000_000)
            if isSent { output.reuse(output.take()) } else { output.discard() }
            #expect(output.isEmpty)
            #expect(capacity <= 4096)
        }
    }
}
