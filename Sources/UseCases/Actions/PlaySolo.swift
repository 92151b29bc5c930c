public import MenuGame

extension Rooms {
    /// The result for one person alone, computed aside. Nothing is stored.
    ///
    /// - Parameters:
    ///   - sheet: made with `catalogue`.
    ///   - answering: gets the outcome, whose seed is fresh, and when it was asked for; `storeUnavailable` where too many wait already.
    public func playSolo(_ sheet: AnswerSheet, answering: Answering<(Outcome, at: Instant)>) {
        let catalogue = catalogue
        let seed = environment.newID()
        let now = environment.now()
        let hasRoom = workshop.compute { [writer] in
            let recommendation = Recommendation(of: [Ballot(sheet)], in: catalogue, seed: seed)
            let outcome = Outcome(recommendation, in: catalogue, seed: seed, ofGroup: false)
            if answering.keep == nil {
                answering.completion(.success((outcome, at: now)))
            } else {
                writer.keep((outcome, at: now), answering)
            }
        }
        if !hasRoom { answering.completion(.failure(.storeUnavailable)) }
    }
}
