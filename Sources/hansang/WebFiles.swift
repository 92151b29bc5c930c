import API

/// The files of the web client, which come with the program.
enum WebFiles {
    /// - Parameter folder: where the program's files are; `nil` for where they were installed.
    static func read(from folder: String?) throws(Application.StartError) -> WebClient {
        let page = try DocumentFiles.path("web/index.html", in: folder)
        let assets = try DocumentFiles.path("web/assets", in: folder)
        do throws(FileError) {
            var bytes: [String: [UInt8]] = [:]
            for name in try fileNames(in: assets) {
                bytes[name] = try contents(of: "\(assets)/\(name)", limit: DocumentFiles.limit)
            }
            let html = try contents(of: page, limit: DocumentFiles.limit)
            do throws(UnknownAsset) { return try WebClient(page: html, assets: bytes) } catch {
                throw FileError(description: "\(assets)/\(error.name) is neither .js, .css nor .svg")
            }
        } catch {
            throw Application.StartError(description: error.description)
        }
    }
}
