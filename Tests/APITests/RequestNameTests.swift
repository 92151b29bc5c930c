import HTTP
import Testing

@testable import API

@Suite("What a request is called")
struct RequestNameTests {
    private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private func name(_ lines: [(String, String)], token: String? = nil) -> RequestName {
        var fields = Fields()
        for (name, value) in lines { fields.append(name: Array(name.utf8), value: Array(value.utf8)) }
        return RequestName(fields, token: token.map { Array($0.utf8)[...] }, fresh: { "fresh" })
    }

    @Test(
        "An id of letters and digits is taken and sent back",
        arguments: ["a1b2c3d4", "0af76519-16cd-43dd-8448-eb211c80319c", "proxy.7_x", String(repeating: "x", count: 63)])
    func good(id: String) async throws {
        #expect(name([("x-request-id", id)]).id == id)
        let answer = try await TestServer().send(.get, "/healthz", fields: ["X-Request-ID": id])
        #expect(answer["X-Request-ID"] == id)
    }

    @Test(
        "Any other is none: too short or long, a number, or what means something somewhere",
        arguments: [
            "", "a1b2c3d", "12345678", String(repeating: "x", count: 64), "abcdefgh ijk", "abcdefg\"", "abcdefg\\n", "민지와하니", "abcdefgh:",
            "abcdefgh=", "<script>", "abcdefg\u{7F}", "abc/../def",
        ])
    func bad(id: String) {
        #expect(name([("X-Request-ID", id)]).id == "fresh")
    }

    @Test("What is in the device token, or has it in itself, is never a name")
    func secret() {
        let token = "0af7651916cd43dd8448eb211c80319c"
        for id in [token, "x-\(token)", "51916cd43dd8448e"] {
            #expect(name([("X-Request-ID", id)], token: token).id == "fresh")
            #expect(name([("X-Request-ID", id)], token: "another-device-token").id == id)
        }
        #expect(name([("traceparent", Self.trace)], token: token).trace == nil)
        #expect(name([("traceparent", Self.trace)], token: "another-device-token").trace != nil)
    }

    @Test("A trace is read as W3C says")
    func goodTrace() throws {
        let context = try #require(name([("Traceparent", Self.trace)]).trace)
        #expect(context.traceID == "0af7651916cd43dd8448eb211c80319c" && context.parentID == "b7ad6b7169203331")
        // A version to come may say more.
        #expect(name([("traceparent", "01" + Self.trace.dropFirst(2) + "-more")]).trace == context)
    }

    @Test(
        "What is no trace is ignored",
        arguments: [
            "", "00", "00-0-0-0", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", "00-0af7651916cd43dd8448eb211c80319-cb7ad6b7169203331-01",
            " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ])
    func badTrace(value: String) {
        #expect(name([("traceparent", value)]).trace == nil)
    }
}
