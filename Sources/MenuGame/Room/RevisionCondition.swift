/// Which revision of a submission somebody has in mind (RFC 9110 §13.1.1).
public enum RevisionCondition: Hashable, Sendable {
    /// Any, but there has to be one.
    case exists
    /// One of these.
    case oneOf([Int])

    /// Whether the submission that there is, if any, is one of those in mind.
    public func holds(for submission: Submission?) -> Bool {
        guard let submission else { return false }
        switch self {
        case .exists: return true
        case .oneOf(let revisions): return revisions.contains(submission.revision)
        }
    }
}
