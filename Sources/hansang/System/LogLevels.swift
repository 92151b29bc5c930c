/// From which level on the log says something: in general, and for single modules.
struct LogLevels: Sendable {
    var general: Log.Level
    var modules: [Log.Module: Log.Level] = [:]

    init(_ general: Log.Level) { self.general = general }

    /// Reads `info`, or `info,http=warning,store=debug`; `nil` for what names no level or no module.
    init?(_ text: String) {
        self.init(.info)
        for (index, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            if index == 0, words.count == 1, let level = Log.Level(rawValue: words[0]) {
                general = level
            } else if words.count == 2, let module = Log.Module(rawValue: words[0]), let level = Log.Level(rawValue: words[1]) {
                modules[module] = level
            } else {
                return nil
            }
        }
    }

    subscript(module: Log.Module) -> Log.Level { modules[module] ?? general }

    static var help: String {
        "\(Log.Level.allCases.map(\.rawValue).joined(separator: ", ")); of single modules with MODULE=LEVEL behind it: "
            + Log.Module.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
