import Foundation
import HTTP
import JSON
import TestSupport
import Testing

@testable import API

@Suite("The QR code of a room")
struct QRCodeTests {
    let server: TestServer
    let pin: String

    init() async throws {
        server = try TestServer()
        pin = try await server.open(token(1))
    }

    private func code(_ fields: [String: String], on server: TestServer? = nil, pin: String? = nil) async -> Answer {
        await (server ?? self.server).send(.get, "/v1/rooms/\(pin ?? self.pin)/qr.svg", fields: fields)
    }

    @Test("It is a picture of the link by which the room is joined, at the host that was asked")
    func picture() async throws {
        let answer = await code(["Host": "lunch.example:8443"])
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "image/svg+xml")
        #expect(answer["Cache-Control"] == "no-cache")
        #expect(answer.body == QRCode("http://lunch.example:8443/r/\(pin)")?.svg)
        #expect(answer.body != (await code(["Host": "dinner.example:8443"]).body))
        let tag = try #require(answer["ETag"])
        #expect(await code(["Host": "lunch.example:8443", "If-None-Match": tag]).status == 304)
    }

    @Test("It is dark on light with four light modules around, in one path")
    func shape() throws {
        let svg = String(decoding: try #require(QRCode("http://h/r/004217")).svg, as: UTF8.self)
        // 17 bytes with level M are version 2: 25 modules and twice four.
        #expect(svg.contains("viewBox=\"0 0 33 33\""))
        #expect(svg.contains("<rect width=\"33\" height=\"33\" fill=\"#fff\"/><path d=\"M4 4h7v1h-7z"))
        #expect(svg.components(separatedBy: "<path").count == 2)
        #expect(!svg.contains("currentColor"))
    }

    @Test("A server that knows its address goes by that, and one behind a proxy of its own by whether that was reached by TLS")
    func address() async throws {
        let own = try TestServer(publicURL: PublicURL("https://lunch.example/app/"))
        let first = try await own.open(token(1))
        #expect(await code(["Host": "evil.example"], on: own, pin: first).body == QRCode("https://lunch.example/app/r/\(first)")?.svg)
        let forwarded = ["Host": "lunch.example", "X-Forwarded-Proto": "https"]
        #expect(await code(forwarded).body == QRCode("http://lunch.example/r/\(pin)")?.svg)
        let behind = try TestServer(limits: ClientLimits(trustsProxy: true))
        let second = try await behind.open(token(1))
        #expect(await code(forwarded, on: behind, pin: second).body == QRCode("https://lunch.example/r/\(second)")?.svg)
    }

    @Test("Without a host, or with one that is longer than a name can be, there is no link to show")
    func noHost() async {
        for fields in [[:], ["Host": ""], ["Host": String(repeating: "a", count: 300)], ["Host": "$"]] {
            let answer = await code(fields)
            #expect(answer.status == 400)
            #expect(answer.code == "malformed-request")
        }
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "a", count: APIBounds.qrCodeText)) != nil)
        #expect(QRCode(String(repeating: "a", count: APIBounds.qrCodeText + 1)) == nil)
    }

    @Test("A room that there is not has none, and asking for it counts like every wrong PIN")
    func unknownRoom() async {
        let wrong = pin.hasPrefix("1") ? "200000" : "100000"
        for number in 0..<31 {
            #expect(await code(["Host": "a"], pin: wrong).code == (number < 30 ? "room-not-found" : "too-many-attempts"))
        }
        #expect(await code(["Host": "a"]).status == 200)
    }
}
