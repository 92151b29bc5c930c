import Testing

@testable import UseCases

@Suite("Many that a store is asked for at once") struct AskEachTests {
    /// What the store was asked for, call by call.
    private func ask(_ keys: ClosedRange<Int>, failing: [Int: String]) -> (calls: [[Int]], answers: [Int: Result<Int?, StoreError>]) {
        var calls: [[Int]] = []
        let answers = askEach(Array(keys)) { keys throws(StoreError) -> [Int: Int] in
            calls.append(keys)
            for key in keys { if let words = failing[key] { throw StoreError(words) } }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, 2 * $0) })
        }
        return (calls, answers)
    }

    @Test("are asked for in one call") func all() {
        let (calls, answers) = ask(1...3, failing: [:])
        #expect(calls == [[1, 2, 3]])
        #expect(answers == [1: .success(2), 2: .success(4), 3: .success(6)])
    }

    @Test("do not fail with those that are damaged") func damaged() {
        let (_, answers) = ask(1...6, failing: [2: "two", 5: "five"])
        #expect(answers[2] == .failure(StoreError("two")) && answers[5] == .failure(StoreError("five")))
        for key in [1, 3, 4, 6] { #expect(answers[key] == .success(2 * key)) }
    }

    @Test("do not fail with two that are damaged in the same way") func damagedAlike() {
        for damaged in [[1, 2], [2, 4], [5, 6]] {
            let (_, answers) = ask(1...6, failing: Dictionary(uniqueKeysWithValues: damaged.map { ($0, "malformed") }))
            for key in 1...6 { #expect(answers[key] == (damaged.contains(key) ? .failure(StoreError("malformed")) : .success(2 * key))) }
        }
    }

    @Test("fail together, and soon, where it is the store that fails") func store() {
        let (calls, answers) = ask(1...100, failing: Dictionary(uniqueKeysWithValues: (1...100).map { ($0, "lost") }))
        #expect(calls.count == 4)
        #expect(answers.count == 100)
        #expect(answers.values.allSatisfy { $0 == .failure(StoreError("lost")) })
    }

    @Test("are asked for once where it is only one") func one() {
        let (calls, answers) = ask(1...1, failing: [1: "one"])
        #expect(calls == [[1]])
        #expect(answers == [1: .failure(StoreError("one"))])
    }
}
