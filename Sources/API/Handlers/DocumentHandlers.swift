import HTTP

extension API {
    /// `GET /openapi.yaml`, by its registered type (RFC 9512)
    func readOpenAPI(_ call: Call) { send(call, documents.openAPI, type: "application/yaml", fields: Self.asItIs) }

    /// `GET /docs`
    func readDocs(_ call: Call) {
        // The page is text and its style: a browser is to load, run and embed nothing else.
        let policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        send(call, documents.docs, type: "text/html; charset=utf-8", fields: Self.asItIs + [Field(.contentSecurityPolicy, policy)])
    }

    /// `GET /docs.css`
    func readDocsStyle(_ call: Call) { send(call, documents.docsStyle, type: "text/css; charset=utf-8", fields: Self.asItIs) }

    /// No browser is to take a document for anything else than its type says.
    private static var asItIs: [Field] { [Field(.contentTypeOptions, "nosniff")] }
}
