import Glibc

/// `hansang`: takes the first argument for the subcommand and leaves the rest to it.
@main
struct Hansang {
    static let version = "0.1.0"

    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let name = arguments.isEmpty ? "--help" : arguments.removeFirst()
        switch name {
        case "--help", "-h", "help": Output.print(help)
        case "--version": Output.print("hansang \(version)\n")
        default:
            guard let command = commands.first(where: { $0.name == name }) else {
                Output.fail("there is no subcommand '\(name)'; see hansang --help", .usage)
            }
            if arguments.contains("--help") || arguments.contains("-h") {
                Output.print(command.help)
            } else {
                command.run(arguments)
            }
        }
    }

    static let commands = [
        ServeCommand.command, ConfigCommand.command, BackupCommand.command, RestoreCommand.command, CheckCommand.command,
        CopyCommand.command,
        RecommendCommand.command,
        CheckCatalogueCommand.command, LoadCommand.command,
    ]

    static var help: String {
        """
        hansang: a group decides what to eat.

        Usage: hansang SUBCOMMAND [OPTIONS]

        \(commands.map { "  \($0.name)\(String(repeating: " ", count: max(1, 18 - $0.name.count)))\($0.summary)" }.joined(separator: "\n"))

          --help            this, or with a subcommand its options
          --version         the version

        """
    }
}

/// One subcommand.
struct Command: Sendable {
    let name: String
    let summary: String
    let help: String
    /// Runs it with the arguments behind its name. Does not return where the process ends with another status than 0.
    let run: @Sendable ([String]) -> Void
}
