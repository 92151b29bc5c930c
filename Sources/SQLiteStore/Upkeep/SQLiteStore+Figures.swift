internal import Glibc
public import MenuGame
public import UseCases

extension SQLiteStore: MeasuredStore {
    /// Counts the rooms by the index of their ends: a fraction of a millisecond for ten thousand.
    public func figures(at now: Instant) throws(StoreError) -> StoreFigures {
        let (rooms, bytes, push) = try read { connection throws(StoreError) in
            let rooms = try connection.first("SELECT count(*) FROM room WHERE expires_at > \(now)") { $0.integer() } ?? 0
            let pages = try connection.first("PRAGMA page_count") { $0.integer() } ?? 0
            let pageSize = try connection.first("PRAGMA page_size") { $0.integer() } ?? 0
            var push: [(PushService, Int)] = []
            for service in PushService.allCases { push.append((service, try connection.waitingMessages(of: service))) }
            return (rooms, pages * pageSize, push)
        }
        var status = stat()
        let log = stat(file.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
        return StoreFigures(rooms: rooms, bytes: [("database", bytes), ("log", log)], push: push)
    }
}

extension Connection {
    fileprivate func waitingMessages(of service: PushService) throws(StoreError) -> Int {
        try first(
            """
            SELECT count(*) FROM (
              SELECT 1 FROM push_message WHERE service = \(service.rawValue) LIMIT \(StoreFigures.pushLimit))
            """
        ) { $0.integer() } ?? 0
    }
}
