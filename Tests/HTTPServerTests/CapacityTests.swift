import Dispatch
import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Capacity")
struct CapacityTests {
    @Test("There are as many places as there are, and who waits is told once when one becomes free")
    func places() {
        let capacity = Capacity(2)
        let told = Log<Int>()
        #expect(capacity.take())
        #expect(capacity.take())
        #expect(!capacity.take())
        capacity.wait { told.append(1) }
        #expect(told.all.isEmpty)
        capacity.release()
        #expect(told.all == [1])
        capacity.wait { told.append(2) }  // one is free: at once
        #expect(told.all == [1, 2])
        capacity.release()
        #expect(told.all == [1, 2])
    }

    @Test("Under contention there are never more than the limit, and nobody waits while there is room")
    func contention() {
        let capacity = Capacity(3)
        let inside = Atomic(0)
        let most = Atomic(0)
        let waiting = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<5000 {
                guard capacity.take() else {
                    waiting.wrappingAdd(1, ordering: .relaxed)
                    capacity.wait { waiting.wrappingSubtract(1, ordering: .relaxed) }
                    continue
                }
                most.max(inside.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
                inside.wrappingSubtract(1, ordering: .relaxed)
                capacity.release()
            }
        }
        #expect(most.load(ordering: .relaxed) <= 3)
        #expect(waiting.load(ordering: .relaxed) == 0)
    }

    @Test("The cap is one for all loops, whichever the connections fall to")
    func sharedByLoops() throws {
        let server = try TestServer(loops: 4, maxConnections: 8)
        var clients = try (0..<8).map { _ in try Client(port: server.port) }
        for client in clients { client.get("/in") }
        for client in clients { #expect(client.responses(1) == ["/in"]) }
        let next = try (0..<4).map { _ in try Client(port: server.port) }
        for client in next { client.get("/next") }
        clients[0].get("/still")
        #expect(clients[0].responses(2) == ["/in", "/still"])
        #expect(next.allSatisfy { $0.received.isEmpty })
        clients.removeAll()
        for client in next { #expect(client.responses(1) == ["/next"]) }
    }

    @Test("The descriptor limit is raised as far as it goes, and connections leave some of it")
    func descriptors() throws {
        let server = try TestServer(maxConnections: .max)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(limit.rlim_cur == limit.rlim_max)
        #expect(server.server.maxConnections == Int(clamping: limit.rlim_cur) - DescriptorLimit.reserve)
        #expect(DescriptorLimit.connections(10_000, of: 20_000) == 10_000)
        #expect(DescriptorLimit.connections(20_000, of: 20_000) == 20_000 - DescriptorLimit.reserve)
        #expect(DescriptorLimit.connections(20_000, of: 64) == 32)
        #expect(DescriptorLimit.connections(20_000, of: 0) == 1)
    }
}
