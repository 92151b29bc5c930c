import MenuGame
import SQLiteStore
import UseCases

/// `hansang backup FILE`
enum BackupCommand {
    static let command = Command(
        name: "backup", summary: "copies a store, also while a server uses it",
        help: """
            Usage: hansang backup FILE [--store sqlite:PATH]

            Copies the store, as of one moment, to FILE, and the key of its device tokens to FILE.key. Neither may be there already. One
            that breaks off leaves no FILE, but where it was killed FILE.NUMBER, which can be removed.
            A server that uses the store goes on meanwhile. Keep FILE.key as secret as PATH.key.
            Exits 66 where there is no store, 74 where it cannot be copied.

            \(Options.help(for: Upkeep.options))

            """
    ) { arguments in
        let (file, store) = Upkeep.operands(arguments, "backup takes one FILE")
        guard exists(store.path) else { Output.fail("there is no store \(store.path)", .noInput) }
        do throws(FileError) {
            let backup = StoreFiles(path: file)
            try store.copy(to: backup) { fingerprint, last throws(StoreError) in
                try SQLiteCopy.make(of: store.path, at: file, keyFingerprint: fingerprint, last: last)
            }
            Output.print("\(file) and \(backup.key): \(sizeOfFile(file)) bytes of \(store.path)\n")
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
            go on with numbers that nobody has seen, so that clients notice. Stop the server first, and move PATH-wal and PATH-shm away
            with it: what was acknowledged last may stand there alone.
            Exits 66 where there is no FILE, 74 where it cannot be restored.

            \(Options.help(for: Upkeep.options))

            """
    ) { arguments in
        let (file, store) = Upkeep.operands(arguments, "restore takes one FILE")
        guard exists(file) else { Output.fail("there is no backup \(file)", .noInput) }
        do throws(FileError) {
            try StoreFiles(path: file).copy(to: store) { fingerprint, last throws(StoreError) in
                try SQLiteCopy.restore(file, at: store.path, keyFingerprint: fingerprint, now: systemNow(), last: last)
            }
            Output.print("\(store.path) and \(store.key): restored from \(file)\n")
        } catch {
            Output.fail(error.description, .ioError)
        }
    }
}

enum Upkeep {
    static let options = [ServeConfiguration.storeFile, ServeConfiguration.tokenKey]

    /// The one operand of a subcommand, and the store that it is to work on. Ends the process where they are not right.
    static func operands(_ arguments: [String], _ usage: String) -> (file: String, store: StoreFiles) {
        do throws(UsageError) {
            let options = try Options(options, arguments: arguments, environment: environmentVariables())
            guard options.operands.count == 1 else { throw UsageError(description: usage) }
            return (options.operands[0], StoreFiles(path: try options.storePath(), key: options["token-key"]))
        } catch {
            Output.fail("\(error)", error.status)
        }
    }
}

/// A database and the key of its device tokens, which belong together.
struct StoreFiles {
    let path: String
    let key: String

    /// - Parameter key: where it is, if not beside the database.
    init(path: String, key: String? = nil) {
        self.path = path
        self.key = key ?? path + ".key"
    }

    /// Copies both to names that nobody has. Where it fails, none of them is left.
    ///
    /// - Parameter copy: copies the database, whose key has this fingerprint, and before the copy has its name does what it is given: there
    ///   is never a store without the key that it needs, and hardly ever a key without its store.
    func copy(
        to other: StoreFiles,
        by copy: (_ fingerprint: [UInt8]?, _ last: () throws(StoreError) -> Void) throws(StoreError) -> Void
    ) throws(FileError) {
        for name in [other.path, other.key] where exists(name) { throw FileError(description: "\(name) is there already") }
        guard let read = try TokenKey.read(key) else { throw FileError(description: "the token key \(key) is missing") }
        let bytes = try contents(of: key, limit: TokenKey.length)
        var isKeyCopied = false
        // Whoever restores as the superuser makes all of it for the server, whose folder it is.
        defer { for name in [other.path, other.key, other.path + ".lock"] where exists(name) { giveToOwnerOfFolder(name) } }
        do throws(StoreError) {
            try copy(read.fingerprint) { () throws(StoreError) in
                do throws(FileError) { try create(other.key, bytes) } catch { throw StoreError(error.description) }
                isKeyCopied = true
            }
        } catch {
            if isKeyCopied { remove(other.key) }
            throw FileError(description: error.detail)
        }
        syncFolder(of: other.path)
        syncFolder(of: other.key)
    }
}
