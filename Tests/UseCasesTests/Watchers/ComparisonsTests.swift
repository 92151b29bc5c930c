import MenuGame
import Testing

@testable import UseCases

@Suite("Rooms that are to be compared with the store") struct ComparisonsTests {
    private let one = Identifier("r_1")
    private let two = Identifier("r_2")
    private let three = Identifier("r_3")

    @Test("are asked for together, each once, in questions of a bounded size") func together() {
        var comparisons = Comparisons()
        #expect(comparisons.isEmpty)
        #expect(comparisons.take() == [])
        comparisons.add([one, two])
        comparisons.add([two, three])
        #expect(comparisons.take().map(Set.init) == [[one, two, three]])
        #expect(comparisons.isEmpty)
        comparisons.add((0...Bounds.questionsPerCall).map { Identifier("r_\($0)") })
        #expect(comparisons.take().map(\.count) == [Bounds.questionsPerCall, 1])
    }

    @Test("are asked for alone once they could not be read, when their pause is over and not before") func alone() {
        var comparisons = Comparisons()
        comparisons.add([one, two])
        let rooms = comparisons.take().flatMap(\.self)
        #expect(comparisons.note([two], of: rooms).map(\.room) == [two])
        comparisons.add([one, two, three])
        #expect(comparisons.take().map(Set.init) == [[one, three]])
        #expect(comparisons.isEmpty)
        comparisons.retry(two, after: 1)
        comparisons.add([one])
        #expect(comparisons.take() == [[one], [two]])
        // It could be read, and is as every other.
        #expect(comparisons.note([], of: [two]).isEmpty)
        comparisons.retry(two, after: 1)
        #expect(comparisons.isEmpty)
        comparisons.add([one, two])
        #expect(comparisons.take().map(Set.init) == [[one, two]])
    }

    @Test("are left alone for longer each time they cannot be read, up to a limit, and from the beginning once they could be")
    func pauses() {
        var comparisons = Comparisons()
        func fail() -> [Int] { comparisons.note([one], of: [one]).map(\.pause) }
        let limit = Comparisons.pauses.upperBound
        #expect((0..<5).flatMap { _ in fail() } == [500, 1000, 2000, 4000, 8000])
        for _ in 0..<100 { #expect(fail() == [limit]) }
        _ = comparisons.note([], of: [one])
        #expect(fail() == [500])
    }

    @Test("are asked for alone also when news of them came while they could not be read, and only when the newest pause is over")
    func newsMeanwhile() {
        var comparisons = Comparisons()
        comparisons.add([one, two])
        let rooms = comparisons.take().flatMap(\.self)
        comparisons.add([one])
        #expect(comparisons.note([one], of: rooms).map(\.count) == [1])
        #expect(comparisons.isEmpty)
        comparisons.retry(one, after: 1)
        #expect(comparisons.take() == [[one]])
        #expect(comparisons.note([one], of: [one]).map(\.count) == [2])
        comparisons.retry(one, after: 1)
        #expect(comparisons.isEmpty)
        comparisons.retry(one, after: 2)
        #expect(comparisons.take() == [[one]])
    }

    @Test("are as every other when the store has come back") func forgiven() {
        var comparisons = Comparisons()
        _ = comparisons.note([one, two], of: [one, two])
        comparisons.retry(one, after: 1)
        comparisons.forgive()
        comparisons.add([two, three])
        #expect(comparisons.take().map(Set.init) == [[one, two, three]])
    }

    @Test("wait as they were when the store could not be asked") func putBack() {
        var comparisons = Comparisons()
        _ = comparisons.note([one], of: [one])
        comparisons.retry(one, after: 1)
        comparisons.add([two])
        let questions = comparisons.take()
        #expect(questions == [[two], [one]])
        comparisons.putBack(questions.joined())
        #expect(comparisons.take() == questions)
    }

    @Test("that cannot be read are asked for a few at a time") func few() {
        var comparisons = Comparisons()
        let rooms = (0..<Bounds.roomsPerLoad + 3).map { Identifier("r_\($0)") }
        for (room, count, _) in comparisons.note(rooms, of: rooms) { comparisons.retry(room, after: count) }
        #expect(comparisons.take().count == Bounds.roomsPerLoad)
        #expect(!comparisons.isEmpty)
        #expect(comparisons.take().count == 3)
    }
}
