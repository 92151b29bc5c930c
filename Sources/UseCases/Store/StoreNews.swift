public import MenuGame

/// What a shared store hears of other servers.
public enum StoreNews: Hashable, Sendable {
    /// A room has come to this sequence, or is no more. Also said of what this server changed itself.
    case changed(Identifier, sequence: Int)
    /// From now on nothing is heard.
    case silent
    /// From now on all is heard again; what was changed meanwhile has to be looked up.
    case resumed
}
