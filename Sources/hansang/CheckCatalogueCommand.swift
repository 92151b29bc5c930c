import MenuGame

/// `hansang check-catalogue FILE`
enum CheckCatalogueCommand {
    static let command = Command(
        name: "check-catalogue", summary: "says what is wrong with a catalogue of menus",
        help: """
            Usage: hansang check-catalogue FILE

            Reads FILE as `hansang serve --catalogue FILE` would and names every fault with its place (a JSON Pointer).
            Exits 0 where there is none, 65 where there are some, 66 where FILE cannot be read.

            """
    ) { arguments in
        guard arguments.count == 1 else { Output.fail("check-catalogue takes one FILE", .usage) }
        do throws(CatalogueFileError) {
            let file = try CatalogueFile(arguments[0])
            Output.print("\(arguments[0]): \(file.catalogue.menus.count) menus, \(file.catalogue.cards.count) cards, no faults\n")
        } catch {
            Output.fail(error.description, details: error.faults, error.status)
        }
    }
}
