import Foundation
import GameJSON

/// `hansang recommend < case.json`: one case in, the rule's answer out.
enum RecommendCommand {
    /// Bytes that a case may have.
    static let inputLimit = 64 << 20

    /// Statuses of `sysexits.h`.
    static let dataError: Int32 = 65
    static let ioError: Int32 = 74

    /// - Returns: the exit status. On failure there is one line on `errors` and nothing on `output`.
    static func run(
        input: FileHandle = .standardInput, output: FileHandle = .standardOutput, errors: FileHandle = .standardError
    ) -> Int32 {
        func fail(_ status: Int32, _ words: String) -> Int32 {
            try? errors.write(contentsOf: Data("hansang recommend: \(oneLine(words))\n".utf8))
            return status
        }
        guard let bytes = try? read(input) else { return fail(ioError, "the input cannot be read") }
        guard bytes.count <= inputLimit else { return fail(dataError, "the case has more than \(inputLimit) bytes") }
        let answer: [UInt8]
        do throws(CaseFault) {
            answer = try recommend(bytes)
        } catch {
            return fail(dataError, error.description)
        }
        guard (try? output.write(contentsOf: Data(answer + [UInt8(ascii: "\n")]))) != nil else {
            return fail(ioError, "the answer cannot be written")
        }
        return 0
    }

    /// All of the input, or enough of it to see that it is too long.
    private static func read(_ input: FileHandle) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= inputLimit, let chunk = try input.read(upToCount: 1 << 20), !chunk.isEmpty { bytes += chunk }
        return bytes
    }

    /// A fault quotes names out of the input; those are not to break the line or steer the terminal.
    private static func oneLine(_ words: String) -> String {
        String(String.UnicodeScalarView(words.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
