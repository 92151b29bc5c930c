import Foundation
import TestSupport
import UseCases

@testable import hansang

/// The whole server inside the test's process, on a port that was free and on real sockets.
final class LiveServer: Sendable {
    private let application: Application
    private let folder: TemporaryFolder

    var port: Int { application.port }

    /// Of the operator's own listener.
    var adminPort: Int { application.adminPort }

    /// - Parameters:
    ///   - folder: where its store is.
    ///   - clock: what it goes by; the system's where `nil`.
    ///   - configure: what is to be other than usual.
    init(in folder: TemporaryFolder, clock: TestClock? = nil, configure: (inout ServeConfiguration) -> Void = { _ in }) throws {
        self.folder = folder
        var configuration = ServeConfiguration()
        configuration.port = 0
        configuration.store = .sqlite(path: folder.path("rooms.sqlite"))
        configuration.cataloguePath = projectFolder.appendingPathComponent("Resources/catalogue.json").path
        configuration.documentsFolder = projectFolder.appendingPathComponent("Resources").path
        configure(&configuration)
        var environment = Environment.system
        if let clock { environment.now = { clock.now } }
        application = try Application(configuration, environment: environment, log: Log(LogLevels(.off)))
        try application.start()
    }

    /// Waits for the end, so that the folder is not taken away under a store that is just closing.
    deinit {
        let stopped = DispatchSemaphore(value: 0)
        application.stop(within: .zero) { stopped.signal() }
        _ = stopped.wait(timeout: .now() + 5)
    }

    func client(receiveBuffer: Int32? = nil) throws -> WireClient {
        try WireClient(port: port, keeping: self, receiveBuffer: receiveBuffer)
    }

    /// Clears up what has expired, as the server does by itself now and then.
    func sweep() async {
        await withCheckedContinuation { continuation in application.rooms.sweep { _ in continuation.resume() } }
        await withCheckedContinuation { continuation in application.devices.sweep { continuation.resume() } }
    }

    /// Stops as SIGTERM would, and calls `completion` when it has.
    func stop(_ completion: @escaping @Sendable () -> Void) { application.stop(within: .seconds(4), completion: completion) }

    /// Stops as SIGTERM would, and tells when it had: tests may have to wait for one another before they see it.
    @discardableResult
    func stop() async -> ContinuousClock.Instant {
        await withCheckedContinuation { continuation in stop { continuation.resume(returning: .now) } }
    }
}
