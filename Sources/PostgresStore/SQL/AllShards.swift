internal import MenuGame
internal import UseCases

/// The statements that read from every server of a cluster over which the tables are spread (docker/cluster.md). There are no others: all
/// else names one room, PIN or owner, and goes to one server.
///
/// They lock nothing and change nothing. What was found by them is then taken one by one, by statements that find out for themselves
/// whether it is still as it was.
enum AllShards {
    private static func read(_ statement: SQL) -> SQL { "/* all shards */ \(statement)" }

    // MARK: For a server that starts

    /// Gives no row where there is no room at all.
    static let anyRoom = read("SELECT id FROM room LIMIT 1")

    // MARK: For PINs that are drawn

    /// Looks at every PIN, so the writer keeps what it was told.
    static let pinCounts = read("SELECT length(pin)::bigint, count(*) FROM pin_claim GROUP BY 1")

    // MARK: For the clock

    static func dueRooms(at now: Instant, limit: Int) -> SQL {
        read(
            """
            SELECT id FROM room
            WHERE due_at <= \(now) AND (leased_until IS NULL OR leased_until <= \(now)) AND expires_at > \(now)
            ORDER BY due_at LIMIT \(limit)
            """)
    }

    static func expiredRooms(at now: Instant, limit: Int) -> SQL {
        read("SELECT id FROM room WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    static func expiredPINs(at now: Instant, limit: Int) -> SQL {
        read("SELECT pin FROM pin_claim WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    /// Gives the owner and the room of each.
    static func expiredOpenings(at now: Instant, limit: Int) -> SQL {
        read("SELECT owner, room FROM opening WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    /// Gives the owner of each.
    static func expiredReceipts(at now: Instant, limit: Int) -> SQL {
        read("SELECT owner FROM receipt WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    /// Gives the room of each.
    static func expiredRoomReceipts(at now: Instant, limit: Int) -> SQL {
        read("SELECT room FROM room_receipt WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    // MARK: For push

    /// When the next message of a service is due.
    static func nextMessage(_ service: PushService) -> SQL {
        read("SELECT min(due_at) FROM push_message WHERE service = \(service.rawValue)")
    }

    static func dueMessages(_ service: PushService, at now: Instant, limit: Int) -> SQL {
        read(
            """
            SELECT room_id, device FROM push_message WHERE service = \(service.rawValue) AND due_at <= \(now)
            ORDER BY due_at LIMIT \(limit)
            """)
    }

    static func noticesToLookUp(limit: Int) -> SQL {
        read("SELECT room_id FROM push_notice WHERE looked_up IS NOT NULL ORDER BY at LIMIT \(limit)")
    }

    static func expiredNotices(at now: Instant, limit: Int) -> SQL {
        read("SELECT room_id FROM push_notice WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)")
    }

    /// Of which the hosts are to be told that they end soon.
    static func roomsToWarn(expiringBefore end: Instant, at now: Instant, limit: Int) -> SQL {
        read(
            """
            SELECT id FROM room
            WHERE expires_at <= \(end) AND expires_at > \(now) AND NOT is_warned
              AND EXISTS (SELECT FROM submission WHERE submission.room = room.id)
              AND NOT EXISTS (SELECT FROM result WHERE result.room = room.id AND result.round = room.round)
            ORDER BY expires_at LIMIT \(limit)
            """)
    }

    // MARK: For operators

    static func roomCount(at now: Instant) -> SQL { read("SELECT count(*) FROM room WHERE expires_at > \(now)") }

    /// Of those that wait; counted as far as `StoreFigures` counts.
    static func messageCount(of service: PushService) -> SQL {
        read(
            """
            SELECT count(*) FROM (
              SELECT 1 FROM push_message WHERE service = \(service.rawValue) LIMIT \(StoreFigures.pushLimit)) AS waiting
            """)
    }

    static func rooms(playedWith catalogue: String) -> SQL { read("SELECT id FROM room WHERE catalogue = \(catalogue) LIMIT 1") }

    static let pinsOfRooms = read("SELECT id, pin, expires_at FROM room")
    static let roomsOfPINs = read("SELECT pin, room, expires_at FROM pin_claim")
    static let receiptsOfNoRoom = read("\(Receipt.read) WHERE room IS NULL")

    /// Who has opened which room, by the rooms and by the openings; the keys of the answers that go with rooms, by the answers and by the
    /// rooms. Without those that have expired.
    static let openersOfRooms = read("SELECT opened_by, id, '' FROM room WHERE \(isLive)")
    static let openings = read("SELECT owner, room, '' FROM opening WHERE \(isLive)")
    static let receiptsOfRooms = read("SELECT owner, room, key FROM receipt WHERE room IS NOT NULL AND \(isLive)")
    static let roomReceipts = read("SELECT owner, room, key FROM room_receipt WHERE \(isLive)")

    private static let isLive: SQL = "expires_at > extract(epoch FROM now()) * 1000"
}
