import API

/// The files of the API's contract, which come with the program.
enum DocumentFiles {
    /// Bytes that each may be long.
    static let limit = 4 << 20

    /// - Parameter folder: where they are; `nil` for where they were installed.
    static func read(from folder: String?) throws(Application.StartError) -> Documents {
        Documents(
            openAPI: try file("openapi.yaml", in: folder), docs: try file("web/docs.html", in: folder),
            docsStyle: try file("web/docs.css", in: folder))
    }

    /// Where a file or folder is that comes with the program.
    static func path(_ name: String, in folder: String?) throws(Application.StartError) -> String {
        guard let path = folder.map({ "\($0)/\(name)" }) ?? Resources.path(of: name) else {
            throw Application.StartError(description: "\(name), which comes with hansang, is not where it was installed")
        }
        return path
    }

    private static func file(_ name: String, in folder: String?) throws(Application.StartError) -> [UInt8] {
        let path = try path(name, in: folder)
        do throws(FileError) { return try contents(of: path, limit: limit) } catch {
            throw Application.StartError(description: error.description)
        }
    }
}
