import MenuGame
import PostgresStore
import SQLiteStore
import UseCases

/// `hansang copy`
enum CopyCommand {
    private static let options = [
        Option(name: "from", placeholder: "sqlite:PATH", help: "the store that is copied; no server may be using it", fallback: nil),
        Option(name: "to", placeholder: "postgres://URI", help: "the database that has no rooms yet", fallback: nil),
        ServeConfiguration.tokenKey,
    ]

    static let command = Command(
        name: "copy", summary: "moves a team's rooms from a file to a PostgreSQL database",
        help: """
            Usage: hansang copy --from sqlite:PATH --to postgres://URI

            Copies all rooms that have not expired, with their results, the answers that are kept under idempotency keys, and who wants to
            be told by push; then reads every room back and compares. Stop the server first. What the file holds stays as it is. A database
            that a server has used already is refused; what a copy that broke off has left behind is taken up again. No server can use the
            database before all is there.
            Afterwards give the key (PATH.key) to all servers of the database with --token-key: without it nobody is known.
            Exits 0 when all is there, 66 where there is no store to copy, 69 where one cannot be used, and 65 where something is wrong.

            \(Options.help(for: options))

            """
    ) { arguments in
        let (path, uri, keyPath): (String, String, String)
        do throws(UsageError) {
            let options = try Options(Self.options, arguments: arguments, environment: environmentVariables())
            if let operand = options.operands.first { throw UsageError(description: "'\(operand)' is no option") }
            guard case .sqlite(let file) = try options.storeLocation("from") else {
                throw UsageError(description: "--from is a sqlite:PATH")
            }
            guard case .postgres(let address) = try options.storeLocation("to") else {
                throw UsageError(description: "--to is a postgres://URI")
            }
            (path, uri, keyPath) = (file, address, options["token-key"] ?? file + ".key")
        } catch {
            Output.fail("\(error)", error.status)
        }
        guard exists(path) else { Output.fail("there is no store \(path)", .noInput) }
        do throws(StoreError) {
            // Keeps servers out for as long as it is held, and brings an older schema up to date.
            let source = try SQLiteStore(path: path)
            defer { source.close() }
            let target = try PostgresStore(uri: uri)
            defer { target.close() }
            let key: TokenKey
            do throws(FileError) { key = try TokenKey.load(from: keyPath, storeExists: true) } catch {
                Output.fail(error.description, .unavailable)
            }
            var copy = StoreCopy(from: try SQLiteInspection(path: path), to: target, at: systemNow())
            let faults = try copy.run(keyFingerprint: key.fingerprint) { () throws(StoreError) in try PostgresInspection(uri: uri) }
            guard faults.isEmpty else { Output.fail("not everything was copied:", details: faults, .badInput) }
            Output.print(
                "\(copy.rooms) rooms, \(copy.members) members, \(copy.results) results and \(copy.receipts) kept answers are in \(target.description) now, as they were in \(path); \(copy.expired) rooms had expired.\nStart its servers with --token-key \(keyPath)\n"
            )
        } catch {
            Output.fail(error.detail, .unavailable)
        }
    }
}

/// The rooms of one store on their way to another.
struct StoreCopy {
    private let source: any StoreInspection
    private let target: PostgresStore
    private let now: Instant
    private var catalogues = StoredCatalogues()
    /// Rooms that are written together, in one transaction.
    private var waiting: [RoomChange] = []
    private static let membersPerCommit = 1000
    private static let devicesPerCommit = 256
    private(set) var rooms = 0
    private(set) var members = 0
    private(set) var results = 0
    private(set) var receipts = 0
    /// Rooms that were left behind.
    private(set) var expired = 0

    init(from source: any StoreInspection, to target: PostgresStore, at now: Instant) {
        self.source = source
        self.target = target
        self.now = now
    }

    /// Copies all, and then compares what is there.
    ///
    /// - Parameter inspect: opens a look at the target.
    /// - Returns: what is wrong; empty where all was copied.
    mutating func run(
        keyFingerprint: [UInt8]?, inspect: () throws(StoreError) -> any StoreInspection
    ) throws(StoreError) -> [String] {
        guard let fingerprint = keyFingerprint else { throw StoreError("OpenSSL has no HMAC with SHA-256") }
        if let kept = try source.keyFingerprint(), kept != fingerprint {
            throw StoreError("the token key is not the one that the members of the store are known under")
        }
        let pins = try source.pins()
        // It is given its key last of all.
        try target.beginCopy()
        let known = Set(pins)
        let strangers = try inspect().pins().filter { !known.contains($0) }
        guard strangers.isEmpty else { throw StoreError("the target holds \(strangers.count) rooms of somebody else") }
        for pin in pins {
            try copy(pin)
            if waiting.reduce(0, { $0 + 1 + $1.room.members.count }) >= Self.membersPerCommit { try write() }
        }
        try write()
        for receipt in try liveReceipts(in: nil, of: source) {
            receipts += 1
            if try !target.keep(receipt), try target.receipts([receipt.key], at: now)[receipt.key] != receipt {
                throw StoreError("the target keeps another answer under the key of one that is copied")
            }
        }
        let devices = try liveDevices(of: source)
        for start in stride(from: 0, to: devices.count, by: Self.devicesPerCommit) {
            try target.apply(devices[start...].prefix(Self.devicesPerCommit).map(PushRegistryChange.register))
        }
        let copied = try inspect()
        var faults = try copied.faults()
        for pin in pins { faults += try differences(pin, copied) }
        if try Set(liveDevices(of: copied)) != Set(devices) { faults.append("who wants to be told by push is not who it was") }
        if faults.isEmpty { try target.endCopy(toKey: fingerprint) }
        return faults
    }

    private mutating func copy(_ pin: PIN) throws(StoreError) {
        guard let record = try source.room(pin) else { return }
        guard record.expiresAt > now else { return expired += 1 }
        let (room, bytes) = try catalogues.room(record, from: source)
        if let bytes { try target.keep(catalogue: bytes, fingerprint: record.catalogue) }
        let kept = try liveReceipts(in: record.id, of: source)
        waiting.append(RoomChange(copying: room, receipts: kept))
        rooms += 1
        members += record.members.count
        results += record.results.count
        receipts += kept.count
    }

    /// What is not taken is there already, since a copy broke off; or else it is found when all is compared.
    private mutating func write() throws(StoreError) {
        _ = try target.commit(waiting)
        waiting = []
    }

    /// Compares what is there in the end, as of one moment, with the file once more: kept in memory, all of it could be more than there is.
    private func differences(_ pin: PIN, _ copied: any StoreInspection) throws(StoreError) -> [String] {
        guard let record = try source.room(pin), record.expiresAt > now else { return [] }
        guard try copied.room(pin) == record else { return ["room \(record.id) is another than it was"] }
        let areSame = try Set(liveReceipts(in: record.id, of: copied)) == Set(liveReceipts(in: record.id, of: source))
        return areSame ? [] : ["kept answers of room \(record.id) are others than they were"]
    }

    // What has expired is not copied, and is no fault where an earlier copy, which broke off, has brought it.

    private func liveReceipts(in room: Identifier?, of store: any StoreInspection) throws(StoreError) -> [Receipt] {
        try store.receipts(in: room).filter { $0.expiresAt > now }
    }

    private func liveDevices(of store: any StoreInspection) throws(StoreError) -> [PushDevice] {
        try store.devices().filter { $0.expiresAt > now }
    }
}
