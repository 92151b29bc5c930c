import Testing

@testable import hansang

@Suite("Levels of the log")
struct LogLevelTests {
    @Test("One for all, and others for single modules")
    func levels() throws {
        let levels = try #require(LogLevels("warning,http=off,store=debug"))
        #expect(levels[.server] == .warning && levels[.http] == .off && levels[.store] == .debug)
        #expect(try #require(LogLevels("http=error"))[.server] == .info)
        let log = Log(levels)
        #expect(!log.isOn(.error, in: .http) && log.isOn(.debug, in: .store) && !log.isOn(.info, in: .server))
    }

    @Test(
        "What is none is refused",
        arguments: ["", "loud", "info,", "info,loud", "http=", "http=loud", "kitchen=info", "http=info,warning", "a=b=c"])
    func bad(text: String) { #expect(LogLevels(text) == nil) }
}
