/// Something that can be set when the program is started: by a flag, or else by a variable of the environment.
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
}

/// The values of a set of options. A flag goes before the environment, and that before the default.
struct Options {
    private let options: [Option]
    private var values: [String: String] = [:]
    private var sources: [String: String] = [:]
    /// Arguments that are no flags, in their order.
    private(set) var operands: [String] = []

    init(_ options: [Option], arguments: [String], environment: [String: String]) throws(UsageError) {
        self.options = options
        for option in options {
            values[option.name] = environment[option.variable] ?? option.fallback
            if environment[option.variable] != nil { sources[option.name] = option.variable }
        }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                operands.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw UsageError(description: "there is no option --\(parts[0])")
            }
            guard let value = parts.count > 1 ? parts[1] : option.placeholder == nil ? "true" : rest.popFirst() else {
                throw UsageError(description: "--\(option.name) needs a value: \(option.placeholder ?? "")")
            }
            values[option.name] = value
            sources[option.name] = nil
        }
    }

    /// Where a value came from, to name it in an error: the flag or the variable.
    func source(of name: String) -> String { sources[name] ?? "--\(name)" }

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
        options.map { option in
            let flag = "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
            let gap = String(repeating: " ", count: max(2, 26 - flag.count))
            let fallback = option.fallback.map { " (\($0))" } ?? ""
            return "  \(flag)\(gap)\(option.help)\(fallback)\n\(String(repeating: " ", count: 28))\(option.variable)"
        }.joined(separator: "\n")
    }
}
