import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("Many streams")
struct StreamLoadTests {
    @Test("One publication reaches all, and the last one is what everybody ends up with")
    func publication() throws {
        let server = try StreamServer()
        let clients = try (0..<150).map { _ in try server.connect().client }
        for number in 1...300 { Publication.replace(with: StreamChunk("state \(number)"), on: server.streams.all) }
        for client in clients {
            #expect(client.receive { $0.chunks.pieces.last == "state 300" })
            let numbers = client.chunks.pieces.compactMap { Int($0.dropFirst(6)) }
            #expect(numbers.count == client.chunks.pieces.count)
            #expect(numbers == numbers.sorted())
        }
    }

    @Test("Many threads talk to many streams while clients come and go; each stream hears each thread in its order")
    func hammering() throws {
        let server = try StreamServer(limits: .with { $0.maximumStreamBacklog = 10_000_000 })
        let steady = try (0..<8).map { _ in try server.connect().client }
        let streams = server.streams.all
        // On threads of their own: blocks that wait would keep the global queue from everybody else.
        let work = DispatchGroup()
        for comer in 0..<2 {
            DispatchQueue(label: "comer \(comer)").async(group: work) {
                for number in 0..<150 {
                    guard let client = try? Client(port: server.port) else { continue }
                    client.get(number % 3 == 0 ? "/plain" : "/")
                    if number % 2 == 0 { _ = client.receive("\r\n\r\n") }
                    if number % 5 == 0 { client.reset() }
                }
            }
        }
        for thread in 0..<4 {
            DispatchQueue(label: "speaker \(thread)").async(group: work) {
                for number in 0..<500 {
                    for stream in streams { stream.send(Array("\(thread):\(number)".utf8)) }
                    Publication.replace(with: StreamChunk("s\(thread):\(number)"), on: number % 10 == 0 ? server.streams.all : streams)
                }
            }
        }
        work.wait()
        for stream in streams { stream.finish() }
        for client in steady {
            #expect(client.receive { $0.text.hasSuffix("0\r\n\r\n") })
            let pieces = client.chunks.pieces
            for thread in 0..<4 {
                let numbers = pieces.filter { $0.hasPrefix("\(thread):") }.compactMap { Int($0.dropFirst(2)) }
                #expect(numbers == Array(0..<500))
                let snapshots = pieces.filter { $0.hasPrefix("s\(thread):") }.compactMap { Int($0.dropFirst(3)) }
                #expect(snapshots == snapshots.sorted())
            }
        }
        #expect(server.server.stop(within: .seconds(8)))
        #expect(server.ends.wait { $0.count == server.streams.all.count })
    }
}
