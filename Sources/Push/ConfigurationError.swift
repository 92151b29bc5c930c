/// What is wrong with how push was set up, in one line. It quotes no key.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
