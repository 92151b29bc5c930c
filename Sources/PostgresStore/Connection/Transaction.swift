internal import CPostgres
internal import UseCases

extension SQL {
    /// Said with all it means, for a server may have other defaults.
    static let begin: SQL = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    /// All that is read in it is of one moment.
    static let beginReading: SQL = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    static let commit: SQL = "COMMIT"
    static let rollBack: SQL = "ROLLBACK"

    /// How long each statement from here to the end of the transaction waits for a lock that somebody else has. That is no wait for a
    /// standby.
    static func limitLocks(_ limit: Duration) -> SQL { set("lock_timeout", limit) }

    /// How long the server waits for us to go on with the transaction, before it ends it and the connection.
    static func limitIdling(_ limit: Duration) -> SQL { set("idle_in_transaction_session_timeout", limit) }

    /// A command and no `set_config`, for a cluster passes on only the former to the servers that have the rows. It takes no parameters.
    private static func set(_ name: String, _ limit: Duration) -> SQL { SQL(stringLiteral: "SET LOCAL \(name) = \(limit.milliseconds)") }
}

extension Connection {
    /// Runs statements in one round trip, all of them or none.
    func run(_ statements: [SQL], within limit: Duration) throws(StoreError) -> [Rows] {
        try results(of: try exchange(statements, within: limit), within: limit)
    }

    private func results(of answers: [Answer], within limit: Duration) throws(StoreError) -> [Rows] {
        var results: [Rows] = []
        for answer in answers {
            switch answer {
            case .done(let rows): results.append(rows)
            case .refused(let refusal):
                recover(from: refusal, within: limit)
                throw refusal.error
            case .skipped: throw abandon("a statement was skipped")
            }
        }
        return results
    }

    @discardableResult
    func run(_ statement: SQL, within limit: Duration) throws(StoreError) -> Rows {
        let results = try run([statement], within: limit)
        guard let rows = results.first else { throw abandon("an answer is missing") }
        return rows
    }

    /// Runs statements in a transaction that only reads, as of one moment; in the one that is open where there is one.
    func read(_ statements: [SQL], within limit: Duration) throws(StoreError) -> [Rows] {
        if isInTransaction { return try run(statements, within: limit) }
        return Array(try run([.beginReading] + statements + [.commit], within: limit).dropFirst().dropLast())
    }

    /// Runs statements in a durable transaction; again where another was in its way.
    ///
    /// - Throws: also where the server warns of something, for that is how it says that a commit reached no standby.
    func write(_ statements: [SQL], within limit: Duration, attempts: Int = 5) throws(StoreError) -> [Rows] {
        let deadline = ContinuousClock.now + limit
        let warned = warnings
        let answers = try exchange([.begin] + statements + [.commit], within: limit)
        if attempts > 1, answers.contains(where: \.isClash) {
            rollBack(within: ContinuousClock.now.duration(to: deadline))
            guard isUsable else { throw abandon() }
            return try write(statements, within: ContinuousClock.now.duration(to: deadline), attempts: attempts - 1)
        }
        let results = try self.results(of: answers, within: ContinuousClock.now.duration(to: deadline))
        try checkCommit(results.last, since: warned)
        return Array(results.dropFirst().dropLast())
    }

    /// Runs a durable transaction in two round trips: what the first statements have locked and given back says what the others are. None
    /// are run where there are none. Again where another was in its way.
    func write(
        taking first: [SQL], within limits: TimeLimits, attempts: Int = 5, then rest: ([Rows]) throws(StoreError) -> [SQL]
    ) throws(StoreError) {
        let taken = try run([.begin, .limitIdling(limits.hold)] + first, within: limits.write)
        defer { rollBack(within: limits.write) }
        let statements = try rest(Array(taken.dropFirst(2)))
        guard !statements.isEmpty else { return }
        let warned = warnings
        let answers = try exchange(statements + [.commit], within: limits.write)
        if attempts > 1, answers.contains(where: \.isClash) {
            rollBack(within: limits.write)
            guard isUsable else { throw abandon() }
            return try write(taking: first, within: limits, attempts: attempts - 1, then: rest)
        }
        try checkCommit(try results(of: answers, within: limits.write).last, since: warned)
    }

    /// Looks at the answer to a COMMIT.
    ///
    /// - Parameter warned: `warnings` before it.
    func checkCommit(_ answer: Rows?, since warned: Int) throws(StoreError) {
        // A wait for a standby that was ended from outside is a success with a warning ("might not have been replicated").
        guard warnings == warned else { throw abandon("a warning: what was committed may be on one server only") }
        guard let answer, answer.tag == "COMMIT" else { throw abandon("what was to be committed was rolled back") }
    }

    /// Ends a transaction in which a statement was refused.
    func recover(from refusal: PostgresError, within limit: Duration) {
        // Another host may be the one that writes by now.
        if refusal.isReadOnly { abandon() }
        rollBack(within: limit)
    }

    /// Leaves no transaction open. Where that fails, the connection is done with.
    func rollBack(within limit: Duration) {
        guard !isBroken, !isIdle else { return }
        guard let answers = try? exchange([.rollBack], within: limit), case .done? = answers.first else {
            abandon()
            return
        }
    }
}
