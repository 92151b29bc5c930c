import Dispatch
import Glibc
import JSON
import Synchronization

/// Has another process take over, one attempt at a time, and goes on as if nothing had been where that one does not get ready.
final class Upgrade: Sendable {
    private let application: Application
    private let program: String?
    private let log: Log
    private let isUnderWay = Atomic(false)
    private let isCalledOff = Atomic(false)
    /// It waits for the successor.
    private let queue = DispatchQueue(label: "hansang.upgrade")

    init(of application: Application, program: String?, log: Log) {
        self.application = application
        self.program = program
        self.log = log
    }

    /// - Parameter end: ends this process, when it has handed over.
    func begin(then end: @escaping @Sendable () -> Void) {
        guard isUnderWay.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else { return }
        queue.async { [self] in
            guard let successor = successor() else { return isUnderWay.store(false, ordering: .releasing) }
            guard !isCalledOff.load(ordering: .acquiring) else { return successor.end() }
            log.write(.info, "handing-over") { $0.member("pid", Int(successor.pid)) }
            ServiceManager.notify(.handedOver(to: successor.pid))
            DispatchQueue.global().asyncAfter(deadline: .now() + 4.9, execute: end)
            application.stop(within: .seconds(4), handingOver: true, completion: end)
        }
    }

    /// This process was told to end: nobody is to take over what is to be no more.
    func callOff() { isCalledOff.store(true, ordering: .releasing) }

    private func successor() -> Successor? {
        do throws(FileError) {
            guard let program else { throw FileError(description: "where the program is cannot be told") }
            let successor = try Successor.start(
                program, arguments: CommandLine.arguments, environment: environmentVariables(), sockets: application.sockets)
            guard successor.isReady() else { throw FileError(description: "the new process has ended before it was ready") }
            return successor
        } catch {
            log.write(.error, "upgrade-failed") { $0.member("detail", error.description) }
            return nil
        }
    }
}
