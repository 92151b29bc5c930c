import HTTP
import MenuGame
import UseCases

extension API {
    /// `GET /` and `GET /r/{pin}`: the page is the same whether there is such a room or not.
    func readWebPage(_ call: Call) {
        send(call, web.page, type: "text/html; charset=utf-8", fields: Self.webFields + [Field(.contentSecurityPolicy, Self.webPolicy)])
    }

    /// `GET /assets/{version}/{file}`
    func readWebAsset(_ call: Call, _ version: String, _ file: String) throws(Problem) {
        guard let (page, kind, isCurrent) = web.asset(file, version: version) else { throw Problem(.routeNotFound) }
        let type = kind == .picture ? kind.mediaType : kind.mediaType + "; charset=utf-8"
        // Another version is another address, so there is never a reason to ask again (RFC 8246). What stands in for another is not kept.
        send(call, page, type: type, caching: isCurrent ? "public, max-age=31536000, immutable" : "no-store", fields: Self.webFields)
    }

    /// `GET /v1/rooms/{pin}/qr.svg`: the address at which the room is joined.
    func readQRCode(_ call: Call, _ pin: String) throws(Problem) {
        let pin = try call.pin(pin)
        rooms.read(pin) { [self] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success:
                // Without a host, or with one that is too long for a name, there is no address to give out.
                guard let url = ownURL(call), let code = QRCode("\(url.text)/r/\(pin)") else {
                    return call.refuse(Problem(.malformedRequest))
                }
                send(call, Page(code.svg), type: "image/svg+xml", fields: Self.webFields)
            }
        }
    }

    /// A browser is to load, run and ask nothing that is not ours, to embed us nowhere, and to make nothing but text of text.
    private static let webPolicy = """
        default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'
        """

    /// Nobody is told in which room a browser was, and nothing is taken for anything else than its type says.
    private static let webFields: [Field] = [
        Field(.contentTypeOptions, "nosniff"), Field(.referrerPolicy, "no-referrer"),
    ]
}
