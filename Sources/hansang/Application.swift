import API
import Dispatch
import Glibc
import HTTP
import HTTPServer
import JSON
import MenuGame
import UseCases

/// The whole server, wired: what `hansang serve` runs and the tests start on port 0.
final class Application: Sendable {
    let rooms: Rooms
    let devices: Devices
    private let server: Server
    /// The operator's own listener.
    private let admin: Server?
    /// Open before the store is, and answered from `start` on.
    private let adminSockets: ListeningSockets?
    private let store: any ServerStore
    private let catalogue: CatalogueReload
    private let sweeper: Sweeper
    private let push: PushServices
    private let configuration: ServeConfiguration
    private let isInherited: Bool
    private let log: Log

    /// Why it does not start, in one line.
    struct StartError: Error, CustomStringConvertible {
        let description: String
        var details: [String] = []
        var status = ExitStatus.unavailable
    }

    /// Opens the store; `start` then lets clients in.
    ///
    /// - Parameter environment: what time it is and what is drawn.
    /// - Parameter inherited: listening sockets to use in place of those that the configuration names; then the store is waited for, which
    ///   the server before this one may still have.
    init(
        _ configuration: ServeConfiguration, environment: Environment, inherited: InheritedSockets = InheritedSockets(), log: Log
    ) throws(StartError) {
        self.log = log
        let (file, cataloguePath) = try Self.catalogue(configuration)
        let documents = try DocumentFiles.read(from: configuration.documentsFolder)
        let web = try WebFiles.read(from: configuration.documentsFolder)
        var adminConfiguration = configuration.admin.map {
            ServerConfiguration(host: $0.host, port: $0.port, loops: 1, maxConnections: 64)
        }
        adminConfiguration?.inherited = inherited.admin
        // A predecessor goes once the store is all that is missing: whatever else can fail comes before.
        do throws(ListenError) {
            adminSockets = if let adminConfiguration { try ListeningSockets(adminConfiguration) } else { nil }
        } catch {
            throw StartError(description: error.description)
        }
        let (senders, store, key): (PushSenders, any ServerStore, TokenKey)
        do throws(FileError) {
            senders = try PushSenders(configuration.push)
            (store, key) = try configuration.store.open(
                keyPath: configuration.tokenKeyPath, patience: inherited.isEmpty ? .zero : Self.patience, ready: inherited.tellReady)
        } catch {
            throw StartError(description: error.description)
        }
        self.store = store
        let metrics = ServerMetrics()
        var observer = RoomObserver()
        observer.storeFailed = { error in
            metrics.rooms.storeFailed()
            log.write(.error, in: .store, "store-failed") { $0.member("detail", error.detail) }
        }
        observer.measure = metrics.rooms.add
        push = PushServices(
            senders, outbox: store, environment: environment, storeFailed: observer.storeFailed, metrics: metrics.push, log: log)
        if let worker = push.worker {
            observer.noticeWritten = { worker.wake() }
            observer.neighbourChanged = { worker.look() }
        }
        var settings = RoomSettings()
        settings.lifetime = Int64(configuration.roomHours) * 60 * 60 * 1000
        settings.roomsPerToken = configuration.roomsPerToken
        // In a shared store also for those of the others that have credentials. Where none has, it is deleted when it has lost its worth.
        settings.writesNotices = push.worker != nil || store.isShared
        do throws(StoreError) {
            let library = try CatalogueLibrary(
                current: file.catalogue, bytes: file.bytes, store: store, unreadable: observer.storeFailed
            ) { bytes, _ throws(StoreError) in
                do throws(CatalogueFaults) { return try CatalogueFile.catalogue(in: bytes) } catch {
                    throw StoreError("a catalogue in the store cannot be read")
                }
            }
            rooms = Rooms(environment: environment, settings: settings, observer: observer, library: library, store: store)
        } catch {
            throw StartError(description: "\(configuration.store): \(error)")
        }
        let limits = ClientLimits(trustsProxy: configuration.trustsProxy, roomsPerHour: configuration.roomsPerHour)
        devices = Devices(rooms: rooms, registry: store)
        let requestLog = RequestLog(log)
        let api = API(
            rooms: rooms, devices: devices,
            push: PushOffer(services: push.services, includesLegacy: configuration.push.includesLegacy), documents: documents, web: web,
            hash: key.hash, requestIDPrefix: environment.newID(),
            publicURL: configuration.publicURL, legacy: configuration.servesLegacyAPI, limits: limits,
            streamLimits: configuration.streamLimits, elapsed: systemElapsed
        ) { access in
            let kind = RequestKind.number(access.method, route: access.route)
            let nanoseconds = access.duration.nanoseconds
            metrics.requests.count(kind: kind, access.status, nanoseconds: nanoseconds)
            requestLog.write(access, kind: kind, nanoseconds: nanoseconds)
        }
        var serverConfiguration = ServerConfiguration(
            host: configuration.host, port: configuration.port, maxConnections: configuration.maxConnections)
        serverConfiguration.inherited = inherited.clients
        server = Server(
            configuration: serverConfiguration, responder: api
        ) { status, duration in
            let nanoseconds = duration.nanoseconds
            metrics.requests.count(kind: RequestKind.number(nil, route: 0), status, nanoseconds: nanoseconds)
            requestLog.writeRefused(id: api.requestID(), status: status.code, nanoseconds: nanoseconds)
        }
        let catalogue = CatalogueReload(path: cataloguePath, rooms: rooms, api: api, log: log)
        self.catalogue = catalogue
        admin = adminConfiguration.map { [server, rooms, store] adminConfiguration in
            let families = metrics.families(of: rooms, api: api, server: server, store: store, log: log)
            return Server(
                configuration: adminConfiguration,
                responder: AdminResponder(name: adminConfiguration.host, families: families, catalogue: catalogue))
        }
        sweeper = Sweeper(rooms, devices, every: 30)
        self.configuration = configuration
        isInherited = !inherited.clients.isEmpty
    }

    /// Listens. When this returns, clients can connect.
    func start() throws(StartError) {
        do throws(ListenError) {
            try admin?.start(on: adminSockets)
            try server.start()
        } catch {
            throw StartError(description: error.description)
        }
        log.write(.info, "started") { line in
            // Where inherited sockets are, whoever opened them knows.
            line.member("host", isInherited ? "(inherited)" : configuration.host)
            line.member("port", server.port)
            line.member("store", "\(configuration.store)")
            line.member("menus", rooms.catalogue.menus.count)
            if let admin { line.member("adminPort", admin.port) }
        }
    }

    var port: Int { server.port }

    /// Of the operator's own listener; 0 where there is none.
    var adminPort: Int { admin?.port ?? 0 }

    /// Loads the file of the catalogue anew; the log tells what came of it.
    func reloadCatalogue() { catalogue.run() }

    /// The listening sockets, by the names under which a successor knows them.
    var sockets: [(name: String, descriptor: Int32)] {
        server.sockets.map { ("http", $0) } + (admin?.sockets ?? []).map { ("admin", $0) }
    }

    /// Takes nothing new, finishes what is in flight, and calls `completion` at the latest when `grace` is over.
    ///
    /// - Parameter handingOver: whether a successor has the listening sockets, and waits for the store.
    func stop(within grace: Duration, handingOver: Bool = false, completion: @escaping @Sendable () -> Void) {
        log.write(.info, "stopping")
        server.stop(within: grace, handingOver: handingOver) { [self] in
            rooms.close { [self] in
                push.stop { [self] in finish(handingOver: handingOver, completion) }
            }
        }
    }

    private func finish(handingOver: Bool, _ completion: @escaping @Sendable () -> Void) {
        // Brings everything home and lets the next server have it.
        store.close()
        log.write(.info, "stopped")
        log.flush()
        // Last, so that the end can be watched.
        if let admin { admin.stop(within: .zero, handingOver: handingOver, completion: completion) } else { completion() }
    }

    private static func catalogue(_ configuration: ServeConfiguration) throws(StartError) -> (CatalogueFile, path: String) {
        guard let path = configuration.cataloguePath ?? Resources.path(of: "catalogue.json") else {
            throw StartError(description: "the catalogue that comes with hansang is not where it was installed; name one with --catalogue")
        }
        do throws(CatalogueFileError) { return (try CatalogueFile(path), path) } catch {
            throw StartError(description: error.description, details: error.faults, status: error.status)
        }
    }

    /// How long the server before this one may take to let its store go: it stops within five seconds, unless its disk hangs.
    private static let patience = Duration.seconds(30)
}
