/// How the routes of the shipped app are served.
public struct LegacyAPI: Sendable {
    /// Where clients find this server: the app knows no base for the addresses of pictures. `nil` to go by what each request calls us.
    public var publicURL: PublicURL?

    public init(publicURL: PublicURL? = nil) { self.publicURL = publicURL }
}
