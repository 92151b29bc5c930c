import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Questions to a store that is far away", .timeLimit(.minutes(1))) struct CoalescerTests {
    /// Answers with twice the key, when it is let; to be asked for 13 is its ruin.
    private final class Store: Sendable {
        let calls = Mutex<[[Int]]>([])
        let gate = DispatchSemaphore(value: 0)

        func ask(_ keys: [Int]) throws(StoreError) -> [Int: Int] {
            calls.withLock { $0.append(keys.sorted()) }
            gate.wait()
            if keys.contains(13) { throw StoreError("thirteen") }
            return Dictionary(uniqueKeysWithValues: keys.filter { $0 != 0 }.map { ($0, $0 * 2) })
        }
    }

    private let store = Store()
    private let answers = Answers()

    private final class Answers: Sendable {
        let all = Mutex<[Int: Result<Int?, StoreError>]>([:])
        let count = Mutex(0)
    }

    private func coalescer(limit: Int = 100, most: Int = 100) -> Coalescer<Int, Int> {
        Coalescer("test", limit: limit, most: most) { [store] keys throws(StoreError) in try store.ask(keys) }
    }

    private func ask(_ coalescer: Coalescer<Int, Int>, _ key: Int) -> Bool {
        coalescer.ask(key) { [answers] answer in
            answers.all.withLock { $0[key] = answer }
            answers.count.withLock { $0 += 1 }
        }
    }

    /// Has the store answer until so many who asked were answered.
    private func open(until count: Int) async throws {
        #expect(
            try await eventually {
                store.gate.signal()
                return answers.count.withLock { $0 } >= count
            })
    }

    @Test("wait for the one that is under way and then go together, each key once") func together() async throws {
        let coalescer = coalescer()
        #expect(ask(coalescer, 1))
        #expect(try await eventually { store.calls.withLock(\.count) == 1 })
        for key in [3, 2, 3, 0] { #expect(ask(coalescer, key)) }
        try await open(until: 5)
        #expect(store.calls.withLock(\.self) == [[1], [0, 2, 3]])
        #expect(answers.all.withLock(\.self) == [0: .success(nil), 1: .success(2), 2: .success(4), 3: .success(6)])
    }

    @Test("are so many and no more at a time, in the order in which they came") func limited() async throws {
        let coalescer = coalescer(limit: 2)
        for key in 1...5 { #expect(ask(coalescer, key)) }
        try await open(until: 5)
        let calls = store.calls.withLock(\.self)
        #expect(calls.flatMap(\.self) == [1, 2, 3, 4, 5])
        #expect(calls.allSatisfy { $0.count <= 2 })
    }

    @Test("are refused when as many wait as may, and taken again when they do not") func full() async throws {
        let coalescer = coalescer(most: 3)
        #expect(ask(coalescer, 1))
        #expect(try await eventually { store.calls.withLock(\.count) == 1 })
        for key in 2...4 { #expect(ask(coalescer, key)) }
        #expect(!ask(coalescer, 5))
        try await open(until: 4)
        #expect(ask(coalescer, 6))
        try await open(until: 5)
        #expect(answers.all.withLock { Set($0.keys) } == [1, 2, 3, 4, 6])
    }

    @Test("fail alone") func alone() async throws {
        let coalescer = coalescer()
        #expect(ask(coalescer, 1))
        #expect(try await eventually { store.calls.withLock(\.count) == 1 })
        for key in [12, 13, 14] { #expect(ask(coalescer, key)) }
        try await open(until: 4)
        #expect(
            answers.all.withLock(\.self) == [1: .success(2), 12: .success(24), 13: .failure(StoreError("thirteen")), 14: .success(28)])
    }
}
