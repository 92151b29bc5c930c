internal import CPostgres
internal import UseCases

extension Connection {
    /// Makes a new connection one that acknowledged commits can be trusted to.
    ///
    /// - Returns: the schema in which the tables are.
    /// - Throws: where the server is too old, or would forget what it has acknowledged.
    func prepareSession(within limit: Duration) throws(StoreError) -> String {
        // Pipelines came with 14, in what a server promises of them too.
        guard PQserverVersion(handle) >= 140_000 else {
            throw StoreError("\(uri): PostgreSQL 14 or later is needed, this is \(PQserverVersion(handle) / 10_000)")
        }
        // The time to a microsecond at which a server was started tells it from others. The rest is so that warnings come, so that nobody
        // minds that we are idle, and so that a transaction of ours does not outlive us for hours, holding its rooms, where this machine
        // loses its power: a server waits for the rest of a pipeline for as long as the other side seems to be there.
        let settings: SQL = """
            SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
              current_setting('server_encoding'), coalesce(current_schema(), ''),
              extract(epoch FROM pg_postmaster_start_time())::text,
              set_config('client_min_messages', 'warning', false), set_config('idle_session_timeout', '0', false),
              set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
              set_config('tcp_keepalives_count', '3', false)
            """
        let found = try run(settings, within: limit).first { row in (0..<6).map { _ in row.text() } } ?? []
        guard found.count == 6 else { throw abandon("no settings") }
        for (name, value) in zip(["fsync", "full_page_writes"], found) where value != "on" {
            throw StoreError("\(uri): the server has \(name) off and would lose or damage what it has acknowledged")
        }
        // Without a standby `on` waits for the disk; with synchronous ones, for theirs too.
        if ["off", "local", "remote_write"].contains(found[2]) { try run("SET synchronous_commit = on", within: limit) }
        guard found[3] == "UTF8" else { throw StoreError("\(uri): the database's encoding is \(found[3]), and UTF8 is needed") }
        guard !found[4].isEmpty else { throw StoreError("\(uri): there is no schema of those that search_path names") }
        server = found[5]
        return found[4]
    }
}
