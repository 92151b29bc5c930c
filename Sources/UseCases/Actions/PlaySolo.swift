public import MenuGame

extension Rooms {
    /// The result for one person alone, computed aside. Nothing is stored but, where it is to be answered
    /// once, the answer.
    ///
    /// - Parameters:
    ///   - sheet: made with `catalogue`.
    ///   - catalogue: the current one.
    ///   - answering: gets the outcome, whose seed is fresh, and when it was asked for; `storeUnavailable` where too many wait already.
    public func playSolo(_ sheet: AnswerSheet, in catalogue: Catalogue, answering: Answering<(Outcome, at: Instant)>) {
        let seed = environment.newID()
        let now = environment.now()
        let hasRoom = computeQueue.submit { [writer] in
            let recommendation = Recommendation(of: [Ballot(sheet)], in: catalogue, seed: seed)
            let outcome = Outcome(recommendation, in: catalogue, seed: seed, ofGroup: false)
            switch answering.way {
            case .each(let completion): completion(.success((outcome, at: now)))
            case .once(let once): if let claim = answering.claim { writer.keeper.keep((outcome, at: now), once, claim) }
            }
        }
        if !hasRoom { answering.fail(.storeUnavailable) }
    }
}
