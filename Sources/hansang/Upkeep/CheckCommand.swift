import MenuGame
import SQLiteStore
import UseCases

/// `hansang check`
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "looks a whole store over, also while a server uses it",
        help: """
            Usage: hansang check [--store sqlite:PATH]

            Reads all of the store as of one moment: the file and its references are whole, its key is the one beside it, every room can
            be read, and every result comes out the same when it is computed again from the answers that were counted.
            Exits 0 where all is well, 66 where there is no store, and 65 where something is wrong, with a line for each fault; rooms are named by their ids.

            \(Options.help(for: [ServeConfiguration.store]))

            """
    ) { arguments in
        let path: String
        do throws(UsageError) {
            let options = try Options([ServeConfiguration.store], arguments: arguments, environment: environmentVariables())
            if let operand = options.operands.first { throw UsageError(description: "'\(operand)' is no option") }
            path = try options.storePath()
        } catch {
            Output.fail("\(error)", error.status)
        }
        guard exists(path) else { Output.fail("there is no store \(path)", .noInput) }
        do throws(StoreError) {
            var check = StoreCheck(try SQLiteInspection(path: path))
            let faults = check.faults(keyPath: path + ".key")
            guard faults.isEmpty else { Output.fail("\(path) has faults:", details: faults, .badInput) }
            Output.print("\(path): \(check.rooms) rooms, \(check.results) results, no faults\n")
        } catch {
            Output.fail("\(path) cannot be read:", details: [error.detail], .badInput)
        }
    }
}

/// What can be wrong with a store beyond what its database sees.
struct StoreCheck {
    private let store: SQLiteInspection
    private var catalogues: [String: Catalogue] = [:]
    /// How many were looked at.
    private(set) var rooms = 0
    private(set) var results = 0

    init(_ store: SQLiteInspection) { self.store = store }

    mutating func faults(keyPath: String) -> [String] {
        do throws(StoreError) {
            let faults = try store.faults()
            // What the database itself calls damaged is not worth reading further.
            return try faults.isEmpty ? contentFaults(keyPath: keyPath) : faults
        } catch {
            return [error.detail]
        }
    }

    private mutating func contentFaults(keyPath: String) throws(StoreError) -> [String] {
        var faults: [String] = []
        if let kept = try store.keyFingerprint() {
            let key: TokenKey?
            do throws(FileError) { key = try TokenKey.read(keyPath) } catch { throw StoreError(error.description) }
            if key?.fingerprint != kept {
                faults.append("the token key \(keyPath) is missing or not the one that the members are known under")
            }
        }
        for pin in try store.pins() {
            rooms += 1
            do throws(StoreError) {
                guard let record = try store.room(pin) else { continue }
                let room = try room(record)
                for result in room.results {
                    results += 1
                    let again: Outcome?
                    do throws(AnswerFaults) { again = try room.derivedAgain(result) } catch { again = nil }
                    if again != result.outcome {
                        faults.append("room \(room.id): round \(result.round) comes out otherwise from its answers")
                    }
                }
            } catch {
                faults.append(error.detail)
            }
        }
        return faults
    }

    private mutating func room(_ record: RoomRecord) throws(StoreError) -> Room {
        let catalogue = try catalogue(record.catalogue)
        do throws(AnswerFaults) { return try Room(record, catalogue: catalogue) } catch {
            throw StoreError("room \(record.id) holds answers that its catalogue does not know")
        }
    }

    private mutating func catalogue(_ fingerprint: String) throws(StoreError) -> Catalogue {
        if let known = catalogues[fingerprint] { return known }
        guard let bytes = try store.catalogue(fingerprint) else { throw StoreError("the catalogue \(fingerprint) is missing") }
        do throws(CatalogueFaults) {
            let catalogue = try CatalogueFile.catalogue(in: bytes)
            guard catalogue.fingerprint == fingerprint else { throw CatalogueFaults([CatalogueFault("", "is another")]) }
            catalogues[fingerprint] = catalogue
            return catalogue
        } catch {
            throw StoreError("the catalogue \(fingerprint) cannot be read")
        }
    }
}
