/// The write-ahead log beside a database, as a connection found it when it was opened.
///
/// One that is deleted or cut takes commits all the same, and after a crash nobody would find them again.
struct LogFile {
    private let path: String
    private let identity: FileStatus.Identity
    /// Bytes of a page with its header (https://sqlite.org/fileformat2.html#the_write_ahead_log).
    private let frame: Int
    private static let header = 32
    private static let frameHeader = 24

    /// - Parameter pageSize: of the database, in bytes.
    init?(of database: String, pageSize: Int) {
        path = Self.name(of: database)
        frame = Self.frameHeader + pageSize
        guard let status = FileStatus(path) else { return nil }
        identity = status.identity
    }

    static func name(of database: String) -> String { database + "-wal" }

    enum State {
        case whole
        /// It has fewer pages than were written.
        case short
        /// The path no longer leads to the file that was opened.
        case gone
    }

    func state(withPages pages: Int) -> State {
        guard let status = FileStatus(path), status.identity == identity else { return .gone }
        return pages == 0 || status.size >= Self.header + pages * frame ? .whole : .short
    }
}
