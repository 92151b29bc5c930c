internal import MenuGame
internal import UseCases

// What is done now and then, by whichever server comes to it first; none waits for another that is at it.
extension Connection {
    func deleteExpired(at now: Instant, limit: Int, within time: Duration) throws(StoreError) -> [PIN] {
        let results = try write(
            [
                .deleteExpired(
                    "SELECT id FROM room WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED", at: now),
                // Those of the rooms above, and any that a room left behind.
                """
                DELETE FROM pin_claim WHERE pin IN (
                  SELECT pin FROM pin_claim WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                """,
            ], within: time)
        return try results.first?.all { row throws(StoreError) in try row.pin() } ?? []
    }

    func deleteExpiredReceipts(at now: Instant, limit: Int, within time: Duration) throws(StoreError) -> Int {
        let own: SQL = """
            DELETE FROM own_receipt WHERE (owner, key) IN (
              SELECT owner, key FROM own_receipt WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
            """
        let count = try write([own], within: time).first?.affected ?? 0
        guard count < limit else { return count }
        let ofRooms: SQL = """
            DELETE FROM receipt WHERE (room, owner, key) IN (
              SELECT room, owner, key FROM receipt WHERE expires_at <= \(now)
              ORDER BY expires_at LIMIT \(limit - count) FOR UPDATE SKIP LOCKED)
            """
        return count + (try write([ofRooms], within: time).first?.affected ?? 0)
    }

    func lease(dueAt now: Instant, until end: Instant, limit: Int, within time: Duration) throws(StoreError) -> [PIN] {
        let results = try write(
            [
                """
                UPDATE room SET leased_until = \(end) WHERE id IN (
                  SELECT id FROM room
                  WHERE due_at <= \(now) AND (leased_until IS NULL OR leased_until <= \(now)) AND expires_at > \(now)
                  ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                RETURNING due_at, pin
                """
            ], within: time)
        let rooms = try results.first?.all { row throws(StoreError) in (row.instant(), try row.pin()) } ?? []
        return rooms.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension SQL {
    /// Deletes expired rooms and has their live activities told. Gives back their PINs.
    ///
    /// - Parameter rooms: finds and locks them.
    static func deleteExpired(_ rooms: SQL, at now: Instant) -> SQL {
        """
        WITH old AS (\(rooms)), told AS (\(noteEnds(of: "SELECT id FROM old", at: now)))
        DELETE FROM room WHERE id IN (SELECT id FROM old) RETURNING pin
        """
    }
}
