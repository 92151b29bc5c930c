public import MenuGame

extension Rooms {
    /// The result for one person alone, computed aside. Nothing is stored.
    ///
    /// - Parameters:
    ///   - sheet: made with `catalogue`.
    ///   - completion: gets the outcome, whose seed is fresh, and when it was asked for; `storeUnavailable` where too many wait already.
    public func playSolo(_ sheet: AnswerSheet, completion: @escaping Completion<(Outcome, at: Instant)>) {
        let catalogue = catalogue
        let seed = environment.newID()
        let now = environment.now()
        let hasRoom = workshop.compute {
            let recommendation = Recommendation(of: [Ballot(sheet)], in: catalogue, seed: seed)
            completion(.success((Outcome(recommendation, in: catalogue, seed: seed, ofGroup: false), at: now)))
        }
        if !hasRoom { completion(.failure(.storeUnavailable)) }
    }
}
