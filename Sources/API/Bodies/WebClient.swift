/// The client that plays in a browser: one page and what it loads, in a table that is made once. What is not in it is not there.
///
/// The address of each asset has a fingerprint of all of them in it, so that a browser may keep them for ever and a page loads those it was
/// made with. Where servers of two versions stand behind one name, one of them gets asked for what only the other has: it gives what it has
/// by that name, and nobody is to keep that.
public struct WebClient: Sendable {
    let page: Page
    let version: String
    private let assets: [String: (page: Page, kind: Kind)]

    /// What assets there are, by the ends of their names.
    enum Kind: String {
        case script = "js"
        case style = "css"
        case picture = "svg"

        init?(of file: String) {
            guard let dot = file.lastIndex(of: ".") else { return nil }
            self.init(rawValue: String(file[file.index(after: dot)...]))
        }

        var mediaType: String {
            switch self {
            case .script: "text/javascript"
            case .style: "text/css"
            case .picture: "image/svg+xml"
            }
        }
    }

    /// - Parameters:
    ///   - page: the page in HTML, in which `/assets/version/` stands for where its assets are.
    ///   - assets: their bytes by their names.
    /// - Throws: the name of one that is of no kind.
    public init(page: [UInt8], assets: [String: [UInt8]]) throws(UnknownAsset) {
        var table: [String: (page: Page, kind: Kind)] = [:]
        var all = page
        for (name, bytes) in assets.sorted(by: { $0.key < $1.key }) {
            guard let kind = Kind(of: name) else { throw UnknownAsset(name: name) }
            table[name] = (Page(bytes), kind)
            all += Array(name.utf8) + bytes
        }
        version = String(entityTag(of: all).dropFirst().dropLast())
        let html = String(decoding: page, as: UTF8.self).replacing("/assets/version/", with: "/assets/\(version)/")
        self.page = Page(Array(html.utf8))
        self.assets = table
    }

    /// The names of all assets.
    var files: [String] { assets.keys.sorted() }

    /// The asset of this name as it is now; `isCurrent` where `version` is the one that it belongs to. `nil` for what is not there, and for
    /// what can be no version.
    func asset(_ file: String, version: String) -> (page: Page, kind: Kind, isCurrent: Bool)? {
        guard Self.isVersion(version), let (page, kind) = assets[file] else { return nil }
        return (page, kind, version == self.version)
    }

    /// Whether this may be a fingerprint: that of `entityTag`, up to sixteen hexadecimal digits.
    private static func isVersion(_ text: String) -> Bool {
        (1...16).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

/// An asset that no browser could be told the type of.
public struct UnknownAsset: Error {
    public let name: String
}
