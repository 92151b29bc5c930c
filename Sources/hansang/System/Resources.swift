import Glibc

/// Where the files are that come with the program: found from the program's own place, so that any working directory does.
enum Resources {
    /// The path of a resource; `nil` where it is not installed.
    ///
    /// Looked for beside the program (`Resources/`), where packages put it (`../share/hansang/`), and in the folders above, which is where
    /// a build from source lies within its project.
    static func path(of name: String) -> String? {
        guard var folder = programFolder else { return nil }
        var candidates = ["\(folder)/../share/hansang/\(name)"]
        while !folder.isEmpty {
            candidates.append("\(folder)/Resources/\(name)")
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return candidates.first { access($0, R_OK) == 0 }
    }

    private static var programFolder: String? { programPath.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } } }

    /// Where the program itself is. To be asked early: of one that was replaced meanwhile the system says that it was deleted.
    static var programPath: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
