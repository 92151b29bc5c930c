internal import CPostgres
internal import Synchronization
internal import UseCases

/// What became of a statement.
enum Answer {
    case done(Rows)
    case refused(PostgresError)
    /// One before it was refused.
    case skipped

    /// Whether another transaction was in the way.
    var isClash: Bool { if case .refused(let refusal) = self { refusal.isClash } else { false } }
}

extension Connection {
    /// Sends all statements at once and waits for their answers: one round trip (libpq's pipeline mode).
    ///
    /// Outside a transaction they are one of their own. Once one is refused the others are skipped; a transaction that was open is then
    /// still to be rolled back.
    ///
    /// - Returns: an answer a statement, in their order.
    /// - Throws: where not all answers came. It cannot be told then what was done, and the connection must not be used again.
    func exchange(_ statements: [SQL], within limit: Duration) throws(StoreError) -> [Answer] {
        let wasBusy = isBusy.exchange(true, ordering: .acquiring)
        precondition(!wasBusy, "a connection has one user at a time")
        defer { isBusy.store(false, ordering: .releasing) }
        let deadline = ContinuousClock.now + limit
        countRoundTrip()
        if PQpipelineStatus(handle) == PQ_PIPELINE_OFF { guard PQenterPipelineMode(handle) == 1 else { throw abandon() } }
        var preparing: [SQL.Form: String] = [:]
        var sent: [(index: Int, isPreparation: Bool)] = []
        for (index, statement) in statements.enumerated() {
            let form = statement.form
            if prepared[form] == nil, preparing[form] == nil {
                statementCounter += 1
                preparing[form] = "s\(statementCounter)"
                guard sendPrepare(statement, as: "s\(statementCounter)") else { throw abandon() }
                sent.append((index, true))
            }
            guard let name = prepared[form] ?? preparing[form], send(statement, as: name) else { throw abandon() }
            sent.append((index, false))
        }
        guard PQpipelineSync(handle) == 1 else { throw abandon() }

        var answers = [Answer](repeating: .skipped, count: statements.count)
        for (index, isPreparation) in sent {
            switch try answer(until: deadline) {
            case .done where isPreparation: prepared[statements[index].form] = preparing[statements[index].form]
            // What cannot be prepared is the statement's own fault, and is then skipped.
            case .skipped: break
            case let answer: answers[index] = answer
            }
        }
        guard let end = try result(until: deadline), case let status = PQresultStatus(end), case () = PQclear(end),
            status == PGRES_PIPELINE_SYNC
        else { throw abandon("an answer out of order") }
        return answers
    }

    /// What became of the next statement that was sent.
    private func answer(until deadline: ContinuousClock.Instant) throws(StoreError) -> Answer {
        guard let result = try result(until: deadline) else { throw abandon("an answer is missing") }
        let answer: Answer
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: answer = .done(Rows(result))
        case PGRES_PIPELINE_ABORTED:
            answer = .skipped
            PQclear(result)
        case PGRES_FATAL_ERROR:
            let refusal = PostgresError(result)
            PQclear(result)
            guard !refusal.isFatal else { throw abandon(refusal.detail) }
            answer = .refused(refusal)
        default:
            PQclear(result)
            throw abandon("an answer out of order")
        }
        // That there is no more of it.
        if let more = try self.result(until: deadline) {
            PQclear(more)
            throw abandon("an answer out of order")
        }
        return answer
    }

    /// The next result; `nil` where a statement has no more. Sends what is not sent yet: the server may wait for us to read before it
    /// reads.
    func result(until deadline: ContinuousClock.Instant) throws(StoreError) -> OpaquePointer? {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw abandon() }
            if PQisBusy(handle) == 0 {
                let result = PQgetResult(handle)
                guard PQstatus(handle) == CONNECTION_OK else {
                    PQclear(result)
                    throw abandon()
                }
                return result
            }
            try wait(toSend: unsent == 1, until: deadline)
            guard PQconsumeInput(handle) == 1 else { throw abandon() }
        }
    }

    private func sendPrepare(_ statement: SQL, as name: String) -> Bool {
        PQsendPrepare(handle, name, statement.text, Int32(statement.values.count), statement.values.map(\.type.rawValue)) == 1
    }

    private func send(_ statement: SQL, as name: String) -> Bool {
        // A value of no bytes has an address too, for none is NULL.
        (statement.bytes + [0]).withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = statement.values.map { value in value.place.flatMap { start?.advanced(by: $0.lowerBound) } }
            let lengths = statement.values.map { Int32(clamping: $0.place?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            return PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
    }
}
