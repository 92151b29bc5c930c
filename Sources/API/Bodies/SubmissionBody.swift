import GameJSON
import HTTP
import JSON
import MenuGame
import UseCases

/// The entity tag of a submission is its revision.
func tag(of submission: Submission) -> String { "\"\(submission.revision)\"" }

/// Which revision `If-Match` asks for (RFC 9110 §13.1.1), by strong comparison: a weak tag and one that is no revision match none. `nil`
/// without the field.
func revisionCondition(_ fields: Fields) -> RevisionCondition? {
    guard let field = fields.list(.ifMatch) else { return nil }
    if field == [UInt8(ascii: "*")] { return .exists }
    return .oneOf(
        field.split(separator: UInt8(ascii: ",")).compactMap { candidate in
            let words = candidate.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let quote = UInt8(ascii: "\"")
            guard words.count == 1, let tag = words.first, tag.count > 2, tag.first == quote, tag.last == quote else { return nil }
            // Compared byte by byte, so a number that is spelt otherwise is none.
            let text = String(decoding: tag.dropFirst().dropLast(), as: UTF8.self)
            return Int(text).flatMap { "\($0)" == text ? $0 : nil }
        })
}

extension Problem {
    /// That a caller's submission is not the one that they had in mind, with the one that it is: a client that showed its own edit too
    /// early takes that back.
    init(mismatchWith current: Submission?, in catalogue: Catalogue) {
        self.init(.revisionMismatch, fields: current.map { [Field(.eTag, tag(of: $0))] } ?? [])
        submission = current.map { ($0, in: catalogue) }
    }
}

extension Problem {
    init(_ failure: SubmitFailure<Problem>) {
        switch failure {
        case .failed(let failure): self.init(failure)
        case .faulty(let problem): self = problem
        case .mismatch(let current, let catalogue): self.init(mismatchWith: current, in: catalogue)
        }
    }

    init(_ failure: SubmitFailure<Never>) {
        switch failure {
        case .failed(let failure): self.init(failure)
        case .mismatch(let current, let catalogue): self.init(mismatchWith: current, in: catalogue)
        }
    }
}

extension JSONWriter {
    /// The caller's own submission. Nobody else is ever sent it.
    mutating func submission(_ submission: Submission, in catalogue: Catalogue) {
        object { writer in
            writer.name("id")
            writer.string(SubmissionID.prefix, then: submission.id.number)
            writer.member("revision", submission.revision)
            writer.member("submittedAt", submission.submittedAt.milliseconds)
            writer.members(of: submission.sheet, in: catalogue)
        }
    }
}
