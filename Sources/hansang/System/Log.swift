import Dispatch
import Glibc
import JSON
import MenuGame
import Synchronization

/// One JSON object a line. Lines are gathered and written by a queue of their own, so that no event loop waits for whoever reads them,
/// and one write serves those of a moment.
final class Log: Sendable {
    enum Level: String, CaseIterable, Sendable {
        case debug, info, warning, error, off

        fileprivate var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            case .off: 4
            }
        }
    }

    /// What a line is about.
    enum Module: String, CaseIterable, Sendable {
        case server, http, store, push, admin
    }

    /// What all lines of a kind have in common, made once for those that are written often.
    struct Heading: Sendable {
        let level: Level
        let module: Module
        /// The members.
        fileprivate let encoded: [UInt8]

        init(_ level: Level, in module: Module = .server, _ event: String) {
            (self.level, self.module) = (level, module)
            var writer = JSONWriter(reserving: 64)
            writer.member("level", level.rawValue)
            writer.member("module", module.rawValue)
            writer.member("event", event)
            encoded = writer.bytes
        }
    }

    private struct Buffer {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    private let dropped = Atomic(0)
    private let levels: LogLevels
    private let file: FileDescriptor
    private let buffer = Mutex(Buffer())
    private let queue = DispatchQueue(label: "hansang.log")
    /// Bytes that may wait for a slow reader; lines beyond are dropped and counted.
    private let limit = 8 << 20
    /// Lines wait this long for company; a warning or an error does not.
    private let pause = DispatchTimeInterval.milliseconds(20)

    init(_ levels: LogLevels, to file: FileDescriptor = .standardError) {
        self.levels = levels
        self.file = file
    }

    func isOn(_ level: Level, in module: Module) -> Bool { level != .off && level.rank >= levels[module].rank }

    /// - Parameter members: what there is to say besides the time, the level, the module and the event. Never a token, a PIN or a body.
    func write(_ level: Level, in module: Module = .server, _ event: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
        guard isOn(level, in: module) else { return }
        write(Heading(level, in: module, event), members)
    }

    /// - Parameter members: as of the other.
    func write(_ heading: Heading, _ members: (inout JSONWriter) -> Void) {
        guard isOn(heading.level, in: heading.module) else { return }
        var writer = JSONWriter(reserving: 256)
        writer.object { writer in
            writer.member("at", systemNow().milliseconds)
            writer.members(encoded: heading.encoded)
            members(&writer)
        }
        writer.newline()
        let isUrgent = heading.level.rank >= Level.warning.rank
        writer.withBytes { line in
            buffer.withLock { buffer in
                guard buffer.bytes.count + line.count < limit else {
                    buffer.dropped += 1
                    dropped.wrappingAdd(1, ordering: .relaxed)
                    return
                }
                buffer.bytes += line
                if isUrgent { return queue.async { self.flushOnQueue() } }
                guard !buffer.isScheduled else { return }
                buffer.isScheduled = true
                queue.asyncAfter(deadline: .now() + pause) { self.flushOnQueue() }
            }
        }
    }

    /// Lines that were dropped so far.
    var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// Returns when everything written so far is out.
    func flush() { queue.sync { flushOnQueue() } }

    private func flushOnQueue() {
        let (bytes, dropped) = buffer.withLock { buffer in
            defer { buffer = Buffer() }
            return (buffer.bytes, buffer.dropped)
        }
        if !bytes.isEmpty { _ = file.write(bytes) }
        if dropped > 0 { write(.warning, "log-lines-dropped") { $0.member("count", dropped) } }
    }
}
