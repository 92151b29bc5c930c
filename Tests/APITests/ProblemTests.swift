import HTTP
import MenuGame
import Testing
import UseCases

@testable import API

@Suite("Problems")
struct ProblemTests {
    @Test("What a problem says of itself it says once, and not what others of its code say", arguments: Problem.Code.allCases)
    func fields(code: Problem.Code) {
        let common = Problem(code).fields.map(\.name)
        let problem = Problem(code, fields: common.map { Field($0, "own") })
        let response = problem.response(in: .en)
        #expect(Set(response.fields.map { $0.name.lowercased }).count == response.fields.count)
        for name in common { #expect(response.fields.filter { $0.name == name }.map(\.value) == ["own"]) }
    }

    @Test(
        "Somebody who is to wait is told how long: in whole seconds, not one too early, at least one",
        arguments: [(3_600_000, "3600"), (57_001, "58"), (999, "1"), (1, "1"), (0, "1"), (-5, "1")])
    func limited(milliseconds: Int, seconds: String) {
        let problem = Problem(.limited(retryAfter: .milliseconds(milliseconds)))
        #expect(problem.response(in: .ko).fields.filter { $0.name == FieldName("Retry-After") }.map(\.value) == [seconds])
    }
}
