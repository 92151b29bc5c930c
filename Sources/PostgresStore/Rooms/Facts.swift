internal import MenuGame
internal import UseCases

extension Connection {
    /// The answer to all that is asked, in one round trip.
    func facts(_ question: StoreQuestion, at now: Instant, within limit: Duration) throws(StoreError) -> StoreFacts {
        var facts = StoreFacts()
        let (receipts, owners, rooms, openers) = (
            Array(question.receipts), Array(question.owners), Array(question.rooms), Array(question.openers)
        )
        var statements: [SQL] = []
        if !receipts.isEmpty { statements.append(Receipt.find(receipts, at: now)) }
        if !owners.isEmpty { statements.append(Self.bytes(of: owners)) }
        if !rooms.isEmpty { statements.append(Self.bytes(in: rooms)) }
        if !openers.isEmpty {
            statements.append("SELECT opened_by, expires_at FROM room WHERE opened_by = ANY(\(openers)) AND expires_at > \(now)")
        }
        if !question.pins.isEmpty {
            statements.append("SELECT pin FROM pin_claim WHERE pin = ANY(\(Array(question.pins))) AND expires_at > \(now)")
        }
        if !question.digits.isEmpty { statements.append(Self.counts) }

        var answers = try run(statements, within: limit).makeIterator()
        if !receipts.isEmpty { facts.receipts = try answers.next()?.receipts() ?? [:] }
        if !owners.isEmpty {
            for (owner, bytes) in try answers.next()?.all({ row throws(StoreError) in (try row.tokenHash(), row.integer()) }) ?? [] {
                facts.bytesOfOwners[owner] = bytes
            }
        }
        if !rooms.isEmpty {
            for (room, bytes) in answers.next()?.all({ ($0.identifier(), $0.integer()) }) ?? [] { facts.bytesInRooms[room] = bytes }
        }
        if !openers.isEmpty {
            for (opener, end) in try answers.next()?.all({ row throws(StoreError) in (try row.tokenHash(), row.instant()) }) ?? [] {
                facts.expiries[opener, default: []].append(end)
            }
        }
        if !question.pins.isEmpty {
            facts.taken = Set(try answers.next()?.all { row throws(StoreError) in try row.pin() } ?? [])
        }
        if !question.digits.isEmpty {
            for digits in question.digits { facts.counts[digits] = 0 }
            for (digits, count) in answers.next()?.all({ ($0.integer(), $0.integer()) }) ?? [] where question.digits.contains(digits) {
                facts.counts[digits] = count
            }
        }
        return facts
    }

    private static func bytes(of owners: [TokenHash]) -> SQL {
        """
        SELECT owner, sum(bytes)::bigint FROM (
          SELECT owner, octet_length(answer) + \(Receipt.overhead) AS bytes FROM receipt WHERE owner = ANY(\(owners))
          UNION ALL
          SELECT owner, octet_length(answer) + \(Receipt.overhead) AS bytes FROM own_receipt WHERE owner = ANY(\(owners))
        ) AS kept GROUP BY owner
        """
    }

    private static func bytes(in rooms: [Identifier]) -> SQL {
        """
        SELECT room, sum(octet_length(answer) + \(Receipt.overhead))::bigint FROM receipt WHERE room = ANY(\(rooms)) GROUP BY room
        """
    }

    /// Looks at every PIN, so the writer keeps what it was told.
    private static let counts: SQL = "SELECT length(pin)::bigint, count(*) FROM pin_claim GROUP BY 1"
}
