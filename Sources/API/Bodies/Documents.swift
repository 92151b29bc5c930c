/// The contract of this API, for machines and for people. It is the same in every language and for every caller.
public struct Documents: Sendable {
    let openAPI: Page
    let docs: Page
    let docsStyle: Page

    /// - Parameters:
    ///   - openAPI: the OpenAPI document in YAML.
    ///   - docs: the page in HTML that was made of it.
    ///   - docsStyle: the style sheet of the page.
    public init(openAPI: [UInt8], docs: [UInt8], docsStyle: [UInt8]) {
        self.openAPI = Page(openAPI)
        self.docs = Page(docs)
        self.docsStyle = Page(docsStyle)
    }
}
