import Dispatch
import Glibc
import Synchronization
import UseCases

/// `hansang serve`
enum ServeCommand {
    static let command = Command(
        name: "serve", summary: "runs the server",
        help: """
            Usage: hansang serve [OPTIONS]

            Each option can also be set in the environment, and in a file. A flag goes before the environment, and that before the file;
            `hansang config` shows what comes of it.

            \(Options.help(for: ServeConfiguration.options))

            Logs one JSON object a line on standard error. SIGTERM or SIGINT: takes no more connections, finishes what is in
            flight and exits 0 within 5 seconds. SIGUSR2: starts the program anew, which may have been replaced, hands the listening sockets
            over to it and ends; no request is lost. Sockets are also taken from systemd (LISTEN_FDS). SIGHUP: loads the catalogue's file
            anew, for the rooms to come. Device tokens are hashed under a key in the file PATH.key: back it up with PATH.

            """
    ) { arguments in
        let configuration: ServeConfiguration
        do throws(UsageError) {
            configuration = try ServeConfiguration(arguments: arguments, environment: environmentVariables())
        } catch {
            Output.fail("\(error); see hansang serve --help", error.status)
        }
        Signals.ignoreFailedWrites()
        CrashLine.begin()
        let running = Mutex<Application?>(nil)
        let upgrade = Mutex<Upgrade?>(nil)
        let signals = Signals()
        signals.on([SIGTERM, SIGINT]) {
            // Told while it starts: nobody has been let in yet.
            guard let application = running.withLock({ $0 }) else { return end() }
            upgrade.withLock { $0 }?.callOff()
            // What does not finish in time is cut off rather than kept waiting for.
            DispatchQueue.global().asyncAfter(deadline: .now() + 4.9, execute: end)
            ServiceManager.notify(.stopping)
            application.stop(within: .seconds(4), completion: end)
        }
        // Before it has started there is nothing to hand over, and nothing to load anew.
        signals.on([SIGUSR2]) { upgrade.withLock { $0 }?.begin(then: end) }
        signals.on([SIGHUP]) { running.withLock { $0 }?.reloadCatalogue() }
        let program = Resources.programPath
        let log = Log(configuration.logLevels)
        let application: Application
        do throws(Application.StartError) {
            let inherited = InheritedSockets(environment: environmentVariables())
            application = try Application(configuration, environment: .system, inherited: inherited, log: log)
        } catch {
            Output.fail(error.description, details: error.details, error.status)
        }
        running.withLock { $0 = application }
        do throws(Application.StartError) { try application.start() } catch { Output.fail(error.description, error.status) }
        ServiceManager.notify(.ready)
        upgrade.withLock { $0 = Upgrade(of: application, program: program, log: log) }
        withExtendedLifetime(signals) { dispatchMain() }
    }
}

extension Environment {
    /// The system's clock and its secure source of randomness.
    static var system: Environment {
        Environment(
            now: systemNow,
            random: {
                var random = SystemRandomNumberGenerator()
                return random.next()
            })
    }
}

/// Ends the process at once. What `exit` does first is not for a process whose threads still work: OpenSSL, for one, takes itself down
/// while a thread that starts may be hashing. There is nothing left to do for it: what is logged was written, and the store is closed or
/// needs no closing.
@Sendable private func end() { _exit(0) }
