internal import MenuGame
internal import UseCases

/// A notice's fan-out: the devices whose messages are still to be made, read at once, and written down in slices.
struct FanOut {
    typealias Device = (key: Int64, platform: PushPlatform)

    let room: Identifier
    /// The notice's order. A newer one in its place has a fan-out of its own.
    let position: Int64
    var devices: ArraySlice<Device>
    /// Whether these are all that are left.
    let isWhole: Bool

    /// Devices that are read at once: those of a room of the largest size, and more.
    fileprivate static var limit: Int { 16_384 }
    /// Messages that are made in one transaction: few, so that nobody's commit waits for long behind it.
    fileprivate static var slice: Int { 64 }
}

extension SQLiteStore {
    /// Makes messages of the notice that has waited longest, for some of the devices that are to be told.
    ///
    /// - Parameter fanOut: what is left of it; read where there is none.
    /// - Returns: whether there was a notice.
    func lookUp(_ fanOut: inout FanOut?, at now: Instant) throws(StoreError) -> Bool {
        if fanOut == nil { fanOut = try read { connection throws(StoreError) in try connection.nextFanOut() } }
        guard var rest = fanOut else { return false }
        let devices = rest.devices.prefix(FanOut.slice)
        rest.devices.removeFirst(devices.count)
        let isDone = rest.devices.isEmpty
        let isCurrent = try write(.logged) { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try connection.make(rest, devices, lookedUp: isDone && rest.isWhole ? nil : devices.last?.key, at: now)
            }
        }
        fanOut = isDone || !isCurrent ? nil : rest
        return true
    }
}

extension Connection {
    func hasToLookUp() throws(StoreError) -> Bool {
        try first("SELECT 1 FROM push_notice WHERE looked_up IS NOT NULL LIMIT 1") { _ in true } ?? false
    }

    fileprivate func nextFanOut() throws(StoreError) -> FanOut? {
        try transaction(writes: false) { () throws(StoreError) in
            let next = try first(
                """
                SELECT push_notice.room_id, position, stage, looked_up, room.key
                FROM push_notice LEFT JOIN room ON room.id = push_notice.room_id
                WHERE looked_up IS NOT NULL ORDER BY at LIMIT 1
                """
            ) { row throws(StoreError) in
                (
                    id: Identifier(row.text()), position: row.integer64(), stage: try row.named(PushStage.self), lookedUp: row.integer64(),
                    key: row.optional { $0.integer64() }
                )
            }
            guard let next else { return nil }
            let members = next.stage.recipients == .nobody ? nil : next.key
            let devices = try all(
                """
                SELECT device.key, platform FROM member JOIN device ON device.owner = member.token_hash
                WHERE member.room = \(members) AND device.room_id IS NULL AND device.key > \(next.lookedUp)
                  AND (NOT \(next.stage.recipients == .host) OR member.number = (SELECT host FROM room WHERE room.key = \(members)))
                UNION ALL
                SELECT key, platform FROM device WHERE room_id = \(next.id) AND key > \(next.lookedUp)
                ORDER BY 1 LIMIT \(FanOut.limit)
                """
            ) { row throws(StoreError) in (key: row.integer64(), platform: try row.named(PushPlatform.self)) }
            return FanOut(room: next.id, position: next.position, devices: devices[...], isWhole: devices.count < FanOut.limit)
        }
    }

    /// Makes messages for those devices that are still there, and notes how far it came.
    ///
    /// - Parameter lookedUp: the last device that has a message of this; `nil` for all.
    /// - Returns: false where there is a newer notice by now, and nothing was done.
    fileprivate func make(
        _ fanOut: FanOut, _ devices: ArraySlice<FanOut.Device>, lookedUp: Int64?, at now: Instant
    ) throws(StoreError) -> Bool {
        let noted = try run(
            """
            UPDATE push_notice SET looked_up = \(lookedUp)
            WHERE room_id = \(fanOut.room) AND position = \(fanOut.position) AND looked_up IS NOT NULL
            """)
        guard noted == 1 else { return false }
        for device in devices {
            try run(
                """
                INSERT INTO push_message (room_id, device, service, position, due_at, attempts)
                SELECT \(fanOut.room), key, \(device.platform.service.rawValue), \(fanOut.position), \(now), 0
                FROM device WHERE key = \(device.key)
                ON CONFLICT (room_id, device) DO UPDATE SET position = excluded.position, attempts = 0, due_at = excluded.due_at
                """)
        }
        return true
    }
}
