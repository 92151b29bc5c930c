/// Something that can be set when the program is started: by a flag, a variable of the environment or a line of a file.
struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What its value is; `nil` for a switch, which the flag alone turns on.
    var placeholder: String? = nil
    let help: String
    let fallback: String?

    var variable: String { "HANSANG_" + name.uppercased().replacing("-", with: "_") }
}

/// What is wrong with how the program was started.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    var status = ExitStatus.usage
}

/// The values of a set of options. A flag goes before the environment, that before the file, and that before the default.
struct Options {
    private enum Source {
        case flag
        case variable(String)
        case file(String, line: Int)
    }

    private var values: [String: String] = [:]
    private var sources: [String: Source] = [:]
    /// Arguments that are no flags, in their order.
    private(set) var operands: [String] = []

    /// The one that each subcommand has which has any: what it names is for all of them.
    static let config = Option(
        name: "config", placeholder: "FILE",
        help: "a file of these options, NAME = VALUE a line, for what neither a flag nor the environment says",
        fallback: nil)

    /// - Parameter known: options of other subcommands, which the environment and the file may set as well.
    /// - Throws: where something is set that nobody knows, or set twice.
    init(
        _ options: [Option], known: [Option] = ServeConfiguration.options, arguments: [String], environment: [String: String]
    ) throws(UsageError) {
        let flags = try takeFlags(options + [Self.config], arguments)
        let environment = environment.filter { !Self.isOfKubernetes($0.key, $0.value) }
        for variable in environment.keys.sorted() where variable.hasPrefix("HANSANG_") {
            let variables = (known + [Self.config]).map(\.variable)
            guard variables.contains(variable) else { throw .unknown("variable \(variable)", suggestion(for: variable, among: variables)) }
        }
        let path = flags["config"] ?? environment[Self.config.variable]
        var entries: [String: ConfigurationFile.Entry] = [:]
        if let path { entries = try ConfigurationFile(path).entries }
        for (name, entry) in entries.sorted(by: { $0.value.line < $1.value.line }) where !known.contains(where: { $0.name == name }) {
            throw .unknown("option \(name)", suggestion(for: name, among: known.map(\.name)), at: "\(path ?? ""):\(entry.line): ")
        }
        for option in options {
            if let value = flags[option.name] {
                (values[option.name], sources[option.name]) = (value, .flag)
            } else if let value = environment[option.variable] {
                (values[option.name], sources[option.name]) = (value, .variable(option.variable))
            } else if let entry = entries[option.name] {
                (values[option.name], sources[option.name]) = (entry.value, .file(path ?? "", line: entry.line))
            } else if let value = option.fallback {
                values[option.name] = value
            }
        }
    }

    private mutating func takeFlags(_ options: [Option], _ arguments: [String]) throws(UsageError) -> [String: String] {
        var flags: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                operands.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw .unknown("option --\(parts[0])", suggestion(for: parts[0], among: options.map(\.name)).map { "--\($0)" })
            }
            guard let value = parts.count > 1 ? parts[1] : option.placeholder == nil ? "true" : rest.popFirst() else {
                throw UsageError(description: "--\(option.name) needs a value: \(option.placeholder ?? "")")
            }
            guard flags.updateValue(value, forKey: option.name) == nil else {
                throw UsageError(description: "--\(option.name) is set twice")
            }
        }
        return flags
    }

    /// Whether a variable is one that Kubernetes sets for a Service that is called `hansang`, in every container beside it: where it is,
    /// and nothing that anybody wants of us. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
    private static func isOfKubernetes(_ variable: String, _ value: String) -> Bool {
        variable.hasPrefix("HANSANG_SERVICE_") || variable.hasPrefix("HANSANG_PORT_")
            || variable == "HANSANG_PORT" && value.contains("://")
    }

    /// Where a value came from, to name it in an error.
    func source(of name: String) -> String {
        switch sources[name] {
        case .flag?, nil: "--\(name)"
        case .variable(let variable)?: variable
        case .file(let path, let line)?: "\(path):\(line): \(name)"
        }
    }

    /// The same for whoever wants to know why it is what it is.
    func origin(of name: String) -> String {
        switch sources[name] {
        case nil: "the default"
        case .file(let path, let line)?: "\(path), line \(line)"
        case .flag?, .variable?: source(of: name)
        }
    }

    subscript(name: String) -> String? { values[name] }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = values[name] ?? ""
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                description: "\(source(of: name)) is '\(text)', not a number within \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Whether a switch is on.
    func isOn(_ name: String) throws(UsageError) -> Bool {
        switch values[name] {
        case "true"?: return true
        case "false"?: return false
        case let text: throw UsageError(description: "\(source(of: name)) is '\(text ?? "")', not true or false")
        }
    }

    static func help(for options: [Option]) -> String {
        (options + [config]).map { option in
            let flag = "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
            let gap = String(repeating: " ", count: max(2, 26 - flag.count))
            let fallback = option.fallback.map { " (\($0))" } ?? ""
            return "  \(flag)\(gap)\(option.help)\(fallback)\n\(String(repeating: " ", count: 28))\(option.variable)"
        }.joined(separator: "\n")
    }
}

extension UsageError {
    fileprivate static func unknown(_ what: String, _ meant: String?, at place: String = "") -> UsageError {
        UsageError(description: "\(place)there is no \(what)" + (meant.map { "; did you mean \($0)?" } ?? ""))
    }
}
