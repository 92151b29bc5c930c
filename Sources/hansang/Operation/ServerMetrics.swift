import API
import HTTPServer
import MenuGame
import Metrics
import UseCases

/// All that a server tells of itself.
struct ServerMetrics: Sendable {
    let requests = RequestMetrics()
    let rooms = RoomMetrics()
    let push = PushMetrics()

    /// Gives the families of a running server, in the order in which they are told; to be called for each scrape.
    func families(of rooms: Rooms, api: API, server: Server, store: any RoomStore, log: Log) -> @Sendable () -> [Family] {
        let own = ownFamilies(of: rooms, api: api, server: server, log: log)
        guard let store = store as? any MeasuredStore else { return { own + ProcessMetrics.families } }
        return { own + Self.families(of: store, at: rooms.now()) + ProcessMetrics.families }
    }

    private func ownFamilies(of rooms: Rooms, api: API, server: Server, log: Log) -> [Family] {
        [
            Family(.gauge, "hansang_build_info", "Always 1, with the version that runs.") {
                [Family.Sample(1, [("version", Hansang.version)])]
            }
        ] + requests.families
            + [
                .gauge("hansang_http_connections", "Open connections.") { Double(server.connections) },
                .gauge("hansang_http_connections_limit", "Connections that there may be.") { Double(server.maxConnections) },
                .gauge("hansang_http_streams", "Open event streams and held answers.") { Double(api.streams) },
            ] + self.rooms.families
            + [
                .gauge("hansang_writer_waiting_commands", "Commands that wait for the writer, or until their rooms are revealed.") {
                    Double(rooms.waitingCommands)
                },
                .counter("hansang_pin_lookups_failed_total", "PINs asked for that no room has.") { Double(api.failedLookups.all) },
                .counter("hansang_pin_lookups_refused_total", "Of these, answered with 429.") { Double(api.failedLookups.refused) },
                .counter("hansang_room_openings_refused_total", "Rooms not opened, since the address had opened as many as it may.") {
                    Double(api.refusedRooms)
                },
                .counter("hansang_log_lines_dropped_total", "Lines of the log that nobody read in time.") { Double(log.droppedLines) },
            ] + push.families
    }

    /// Asks the store, once for all of them, since it may be at the other end of a network. Without values where it cannot be asked.
    static func families(of store: any MeasuredStore, at now: Instant) -> [Family] {
        let figures = try? store.figures(at: now)
        return [
            Family(.gauge, "hansang_rooms_live", "Rooms that have not expired.") {
                figures.map { [Family.Sample(Double($0.rooms))] } ?? []
            },
            Family(.gauge, "hansang_store_size_bytes", "What the store takes on disk.") {
                figures?.bytes.map { Family.Sample(Double($0.count), [("part", $0.part)]) } ?? []
            },
            Family(
                .gauge, "hansang_push_messages_waiting",
                "Messages to phones that no service has accepted yet, at most \(StoreFigures.pushLimit)."
            ) {
                figures?.push.map { Family.Sample(Double($0.count), [("service", $0.service.rawValue)]) } ?? []
            },
        ]
    }
}
