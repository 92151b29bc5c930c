/// `hansang config`
enum ConfigCommand {
    static let command = Command(
        name: "config", summary: "shows what the server would go by",
        help: """
            Usage: hansang config [OPTIONS]

            Prints the options that `hansang serve [OPTIONS]` would run with, each below where it comes from: a flag, a variable of the
            environment, a line of the file, or the default. What is printed can be a file for --config, but that passwords are left out.
            Exits 64 where an option is unknown or has no good value, as `hansang serve` would.

            \(Options.help(for: ServeConfiguration.options))

            """
    ) { arguments in
        do throws(UsageError) {
            let environment = environmentVariables()
            // For its opinion of the values.
            _ = try ServeConfiguration(arguments: arguments, environment: environment)
            let options = try Options(ServeConfiguration.options, arguments: arguments, environment: environment)
            Output.print(text(of: options))
        } catch {
            Output.fail("\(error); see hansang config --help", error.status)
        }
    }

    static func text(of options: Options) -> String {
        ServeConfiguration.options.map { option in
            guard let value = options[option.name] else {
                return "# not set: \(option.help)\n# \(option.name) = \(option.placeholder ?? "")\n"
            }
            return "# \(options.origin(of: option.name))\n\(option.name) = \(masked(value))\n"
        }.joined()
    }
}
