import SQLiteStore
import UseCases

/// `hansang backup FILE`
enum BackupCommand {
    static let command = Command(
        name: "backup", summary: "copies a store, also while a server uses it",
        help: """
            Usage: hansang backup FILE [--store sqlite:PATH]

            Copies the store, as of one moment, to FILE, and the key of its device tokens to FILE.key. Neither may be there already.
            A server that uses the store goes on meanwhile. Keep FILE.key as secret as PATH.key.
            Exits 66 where there is no store, 74 where it cannot be copied.

            \(Options.help(for: [ServeConfiguration.storeFile]))

            """
    ) { arguments in
        let (file, store) = Upkeep.operands(arguments, "backup takes one FILE")
        guard exists(store) else { Output.fail("there is no store \(store)", .noInput) }
        do throws(FileError) {
            try StoreFiles(path: store).copy(to: StoreFiles(path: file), by: SQLiteCopy.make)
            Output.print("\(file) and \(file).key: \(sizeOfFile(file)) bytes of \(store)\n")
        } catch {
            Output.fail(error.description, .ioError)
        }
    }
}

/// `hansang restore FILE`
enum RestoreCommand {
    static let command = Command(
        name: "restore", summary: "makes a store of a backup",
        help: """
            Usage: hansang restore FILE [--store sqlite:PATH]

            Makes a new store of FILE and FILE.key, which `hansang backup` wrote. Where there is a store already it stays: move it and
            its key away first. Rooms that have expired since then are gone as if the server had run on. The others are as they were, but
            go on with numbers that nobody has seen, so that clients notice.
            Exits 66 where there is no FILE, 74 where it cannot be restored.

            \(Options.help(for: [ServeConfiguration.storeFile]))

            """
    ) { arguments in
        let (file, store) = Upkeep.operands(arguments, "restore takes one FILE")
        guard exists(file) else { Output.fail("there is no backup \(file)", .noInput) }
        do throws(FileError) {
            try StoreFiles(path: file).copy(to: StoreFiles(path: store), by: SQLiteCopy.restore)
            Output.print("\(store) and \(store).key: restored from \(file)\n")
        } catch {
            Output.fail(error.description, .ioError)
        }
    }
}

enum Upkeep {
    /// The one operand of a subcommand, and the path of the store that it is to work on. Ends the process where they are not right.
    static func operands(_ arguments: [String], _ usage: String) -> (file: String, store: String) {
        do throws(UsageError) {
            let options = try Options([ServeConfiguration.storeFile], arguments: arguments, environment: environmentVariables())
            guard options.operands.count == 1 else { throw UsageError(description: usage) }
            return (options.operands[0], try options.storePath())
        } catch {
            Output.fail("\(error)", error.status)
        }
    }
}

/// A database and the key of its device tokens beside it, which belong together.
struct StoreFiles {
    let path: String

    var key: String { path + ".key" }

    /// Copies both to names that nobody has. Where it fails, none of them is left.
    func copy(to other: StoreFiles, by copy: (String, String) throws(StoreError) -> Void) throws(FileError) {
        for name in [other.path, other.key] where exists(name) { throw FileError(description: "\(name) is there already") }
        guard try TokenKey.read(key) != nil else { throw FileError(description: "the token key \(key) is missing") }
        let bytes = try contents(of: key, limit: TokenKey.length)
        // The key goes first: there is never a store without the key that it needs.
        try create(other.key, bytes)
        do throws(StoreError) { try copy(path, other.path) } catch {
            remove(other.key)
            throw FileError(description: error.detail)
        }
        // Whoever restores as the superuser makes it for the server, whose folder it is.
        for name in [other.path, other.key] { giveToOwnerOfFolder(name) }
        syncFolder(of: other.path)
    }
}
