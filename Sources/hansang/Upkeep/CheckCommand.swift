import MenuGame
import PostgresStore
import SQLiteStore
import UseCases

/// `hansang check`
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "looks a whole store over, also while a server uses it",
        help: """
            Usage: hansang check [--store sqlite:PATH|postgres://URI]

            Reads all of the store as of one moment: the database, its tables and its references are whole, its key is the one beside it,
            every room is one that can be played on with, and every result comes out the same when it is computed again from the answers
            that were counted.
            Exits 0 where all is well, 66 where there is no store, and 65 where something is wrong, with a line for each fault; rooms are
            named by their ids.

            \(Options.help(for: options))

            """
    ) { arguments in
        let (location, keyPath): (StoreLocation, String)
        do throws(UsageError) {
            let options = try Options(Self.options, arguments: arguments, environment: environmentVariables())
            if let operand = options.operands.first { throw UsageError(description: "'\(operand)' is no option") }
            location = try options.storeLocation()
            keyPath = options["token-key"] ?? location.tokenKeyPath
        } catch {
            Output.fail("\(error)", error.status)
        }
        do throws(StoreError) {
            var check = StoreCheck(try inspection(of: location))
            let faults = check.faults(keyPath: keyPath)
            guard faults.isEmpty else { Output.fail("\(location) has faults:", details: faults, .badInput) }
            Output.print("\(location): \(check.rooms) rooms, \(check.results) results, no faults\n")
        } catch {
            Output.fail("\(location) cannot be read:", details: [error.detail], .badInput)
        }
    }

    private static let options = [ServeConfiguration.store, ServeConfiguration.tokenKey]

    private static func inspection(of location: StoreLocation) throws(StoreError) -> any StoreInspection {
        switch location {
        case .sqlite(let path):
            guard exists(path) else { Output.fail("there is no store \(path)", .noInput) }
            return try SQLiteInspection(path: path)
        case .postgres(let uri): return try PostgresInspection(uri: uri)
        }
    }
}

/// What can be wrong with a store beyond what its database sees.
struct StoreCheck {
    private let store: any StoreInspection
    private var catalogues = StoredCatalogues()
    /// How many were looked at.
    private(set) var rooms = 0
    private(set) var results = 0

    init(_ store: any StoreInspection) { self.store = store }

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
                let (room, _) = try catalogues.room(record, from: store)
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
}
