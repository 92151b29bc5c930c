import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// `GET /v1/game`
    func readGame(_ call: Call) { send(call, pages.current.game[call.language], fields: call.localized) }

    /// `GET /v1/rooms/{pin}/game`: the one that the room was opened with, whatever the catalogue is by now.
    func readGame(_ call: Call, ofRoom pin: String) throws(Problem) {
        rooms.read(try call.pin(pin)) { [self] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published):
                send(call, pages.current.game(of: published.room.catalogue, in: call.language), fields: call.localized)
            }
        }
    }

    /// `GET /v1/menus`
    func readMenus(_ call: Call) { send(call, pages.current.menus[call.language], fields: call.localized) }

    /// `GET /v1/menus/{id}`: also one that only rooms have which were opened with a former catalogue.
    func readMenu(_ call: Call, _ id: String) throws(Problem) {
        guard let (menu, catalogue) = rooms.menu(Identifier(id)) else { throw Problem(.menuNotFound) }
        var writer = JSONWriter()
        writer.menu(menu, of: catalogue, in: call.language)
        send(call, Page(writer.bytes), fields: call.localized)
    }

    /// `GET /v1/menus/random`: uniformly any that no given veto excludes.
    func readRandomMenu(_ call: Call) throws(Problem) {
        let names = try Query(call.request.query).values("veto")
        let catalogue = rooms.catalogue
        let sheet: AnswerSheet
        do throws(AnswerFaults) { sheet = try AnswerSheet(AnswerDraft(vetoes: names), in: catalogue) } catch {
            throw Problem(error)
        }
        guard let menu = rooms.randomMenu(of: catalogue, vetoes: sheet.vetoes) else { throw Problem(.menuNotFound) }
        call.send(200, fields: call.localized) { $0.menu(menu, of: catalogue, in: call.language) }
    }

    /// `GET /images/{id}.svg`
    func readMenuImage(_ call: Call, _ file: String) throws(Problem) {
        guard file.hasSuffix(".svg"), let menu = rooms.menu(Identifier(String(file.dropLast(4))))?.menu else {
            throw Problem(.menuNotFound)
        }
        send(call, Page(menuImage(menu, in: call.language)), type: "image/svg+xml", fields: call.localized)
    }

    /// Sends what was written before anybody asked, unless the caller has it already.
    ///
    /// - Parameter caching: what caches may do with it; unless it is said, they ask each time whether it is still what it was.
    func send(
        _ call: Call, _ page: Page, type: String = "application/json", caching: String = "no-cache",
        fields: [Field]
    ) {
        let fields = [Field(.contentType, type), Field(.eTag, page.tag), Field(.cacheControl, caching)] + fields
        if isKnown(page.tag, to: call.request.fields) { return call.send(Response(Status(304), fields: fields)) }
        call.send(Response(Status(200), fields: fields, body: page.body))
    }
}
