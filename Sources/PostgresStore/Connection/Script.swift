internal import CPostgres
internal import UseCases

extension Connection {
    /// Runs several statements that take no values and give nothing back. They are one transaction unless they say otherwise.
    func run(script: String, within limit: Duration) throws(StoreError) {
        // Several in one text are only known to the protocol without pipelines.
        guard PQpipelineStatus(handle) == PQ_PIPELINE_OFF || PQexitPipelineMode(handle) == 1 else { throw abandon() }
        guard PQsendQuery(handle, script) == 1 else { throw abandon() }
        let deadline = ContinuousClock.now + limit
        countRoundTrip()
        var refusal: PostgresError?
        while let result = try result(until: deadline) {
            if PQresultStatus(result) == PGRES_FATAL_ERROR { refusal = refusal ?? PostgresError(result) }
            PQclear(result)
        }
        guard let refusal else { return }
        recover(from: refusal, within: limit)
        throw refusal.error
    }

    /// A name as SQL writes it.
    func quoted(identifier: String) throws(StoreError) -> String {
        guard let quoted = PQescapeIdentifier(handle, identifier, identifier.utf8.count) else { throw abandon() }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }
}
