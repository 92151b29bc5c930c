import Foundation

func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = NSTemporaryDirectory() + "hansang-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
}
