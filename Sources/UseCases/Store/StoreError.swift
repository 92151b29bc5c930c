/// The store did not do it.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For the operator's log and never for a client. It may quote statements, though not the values bound to them, and name files,
    /// fingerprints, and rooms and members by id; but nothing that people gave: no answers or nicknames, no PIN and no token.
    public let detail: String

    public init(_ detail: String) { self.detail = detail }

    public var description: String { detail }
}
