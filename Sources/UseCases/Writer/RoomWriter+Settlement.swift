import Dispatch
import MenuGame
import Synchronization

extension RoomWriter {
    /// Reveals a room that is due. The result is computed aside, and everybody who has to do with the room waits for it; nobody else does.
    /// Who comes while it is being computed waits for the same.
    func settle(_ settlement: Settlement) {
        let room = settlement.published.room
        jobs.park(settlement.count)
        let isUnderWay = settling.withLock { settling in
            defer { settling[room.id, default: []].append(settlement) }
            return settling[room.id] != nil
        }
        guard !isUnderWay else { return }
        let isAccepted = computeQueue.submit { [self] in
            let recommendation = room.recommendation()
            let settlements = takeSettlements(of: room.id)
            // Who waits for it has been let in, so it is as well.
            add(again: [
                Job(
                    target: .room(room.pin),
                    apply: { current, now in
                        let isBasis = current.id == room.id && current.submissionsSequence == room.submissionsSequence
                        if isBasis, let dueAt = current.dueAt, dueAt <= now { _ = try? current.reveal(recommendation, at: dueAt) }
                        return Job.Applied(answer: { result in self.resume(settlements, result) })
                    },
                    fail: { self.resume(settlements, .failure($0)) },
                    settles: true)
            ])
        }
        guard !isAccepted else { return }
        let settlements = takeSettlements(of: room.id)
        answers.async { self.resume(settlements, .failure(.storeUnavailable)) }
    }

    private func takeSettlements(of room: Identifier) -> [Settlement] { settling.withLock { $0.removeValue(forKey: room) ?? [] } }

    private func resume(_ settlements: [Settlement], _ result: Result<PublishedRoom, Failure>) {
        var goOn: [Job] = []
        for settlement in settlements {
            switch result {
            case .success:
                for answer in settlement.answers { answer(result) }
                goOn += settlement.waiting
            case .failure(let failure):
                // What those did is durable, though the room is not revealed yet.
                for answer in settlement.answers { answer(.success(settlement.published)) }
                for job in settlement.waiting { job.fail(failure) }
            }
        }
        add(again: goOn, unparking: settlements.reduce(0) { $0 + $1.count })
    }
}
