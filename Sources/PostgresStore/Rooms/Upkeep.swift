internal import MenuGame
internal import UseCases

// What is done now and then, by whichever server comes to it first; none waits for another that is at it. It is found first, in all shards
// and without a lock, and then taken one by one in the order of commits, where it is still as it was and nobody else is at it.
extension Connection {
    func deleteExpired(at now: Instant, limit: Int, within time: Duration) throws(StoreError) -> [PIN] {
        let found = try run(
            [
                AllShards.expiredRooms(at: now, limit: limit), AllShards.expiredPINs(at: now, limit: limit),
                AllShards.expiredOpenings(at: now, limit: limit),
            ], within: time)
        guard found.count == 3 else { throw abandon("an answer is missing") }
        let rooms = found[0].all { $0.identifier() }.sorted()
        // Those of the rooms, and any that a room left behind.
        let pins = try found[1].all { row throws(StoreError) in try row.pin() }
        let openings = try found[2].all { row throws(StoreError) in (owner: try row.tokenHash(), room: row.identifier()) }
        guard !rooms.isEmpty || !pins.isEmpty || !openings.isEmpty else { return [] }
        let results = try write(
            rooms.flatMap { SQL.deleteExpired($0, at: now) } + pins.map { SQL.deleteExpired($0, at: now) }
                + openings.map { SQL.deleteExpired($0.room, openedBy: $0.owner, at: now) }, within: time)
        return try results.prefix(2 * rooms.count).all { row throws(StoreError) in try row.pin() }
    }

    func deleteExpiredReceipts(at now: Instant, limit: Int, within time: Duration) throws(StoreError) -> Int {
        let found = try run(
            [AllShards.expiredReceipts(at: now, limit: limit), AllShards.expiredRoomReceipts(at: now, limit: limit)], within: time)
        guard found.count == 2 else { throw abandon("an answer is missing") }
        let owners = try found[0].all { row throws(StoreError) in try row.tokenHash() }
        let rooms = found[1].all { $0.identifier() }
        guard !owners.isEmpty || !rooms.isEmpty else { return 0 }
        let ofRooms: [SQL] = counted(rooms).sorted { $0.key < $1.key }.map { room, count in
            """
            DELETE FROM room_receipt WHERE room = \(room) AND (owner, key) IN (
              SELECT owner, key FROM room_receipt WHERE room = \(room) AND expires_at <= \(now)
              ORDER BY expires_at LIMIT \(count) FOR UPDATE SKIP LOCKED)
            """
        }
        let ofOwners: [SQL] = counted(owners).sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map { owner, count in
            """
            DELETE FROM receipt WHERE owner = \(owner) AND key IN (
              SELECT key FROM receipt WHERE owner = \(owner) AND expires_at <= \(now)
              ORDER BY expires_at LIMIT \(count) FOR UPDATE SKIP LOCKED)
            """
        }
        return try write(ofRooms + ofOwners, within: time).dropFirst(ofRooms.count).reduce(0) { $0 + $1.affected }
    }

    func lease(dueAt now: Instant, until end: Instant, limit: Int, within time: Duration) throws(StoreError) -> [PIN] {
        let due = try run(AllShards.dueRooms(at: now, limit: limit), within: time).all { $0.identifier() }
        guard !due.isEmpty else { return [] }
        let results = try write(
            due.sorted().map { room in
                """
                UPDATE room SET leased_until = \(end) WHERE id = \(room) AND id = (
                  SELECT id FROM room
                  WHERE id = \(room) AND due_at <= \(now) AND (leased_until IS NULL OR leased_until <= \(now)) AND expires_at > \(now)
                  FOR UPDATE SKIP LOCKED)
                RETURNING due_at, pin
                """
            }, within: time)
        let rooms = try results.all { row throws(StoreError) in (row.instant(), try row.pin()) }
        return rooms.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func counted<Key: Hashable>(_ keys: some Sequence<Key>) -> [Key: Int] { keys.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

extension SQL {
    /// Deletes a room that has expired and has its live activities told. The second statement gives back its PIN.
    ///
    /// That a room is over is true whoever deletes it, so it is told of even where somebody else is at it just now.
    static func deleteExpired(_ room: Identifier, at now: Instant) -> [SQL] {
        [
            noteEnd(of: room, at: now),
            """
            DELETE FROM room WHERE id = \(room) AND id = (
              SELECT id FROM room WHERE id = \(room) AND expires_at <= \(now) FOR UPDATE SKIP LOCKED)
            RETURNING pin
            """,
        ]
    }

    /// Forgets who opened a room that has expired.
    static func deleteExpired(_ room: Identifier, openedBy owner: TokenHash, at now: Instant) -> SQL {
        """
        DELETE FROM opening WHERE owner = \(owner) AND room = (
          SELECT room FROM opening WHERE owner = \(owner) AND room = \(room) AND expires_at <= \(now) FOR UPDATE SKIP LOCKED)
        """
    }

    /// Frees a PIN that no live room has.
    static func deleteExpired(_ pin: PIN, at now: Instant) -> SQL {
        """
        DELETE FROM pin_claim WHERE pin = \(pin) AND pin = (
          SELECT pin FROM pin_claim WHERE pin = \(pin) AND expires_at <= \(now) FOR UPDATE SKIP LOCKED)
        """
    }
}
