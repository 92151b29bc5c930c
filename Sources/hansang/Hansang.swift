import Foundation

@main struct Hansang {
    static func main() {
        if CommandLine.arguments.dropFirst().first == "recommend" { exit(RecommendCommand.run()) }
    }
}
