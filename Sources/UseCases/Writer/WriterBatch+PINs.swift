import MenuGame

// Free PINs for the rooms that a batch opens.
extension WriterBatch {
    /// The PINs that a room to be opened may have, in the order in which they are to be tried.
    struct Draw {
        fileprivate let asNumber: Bool
        fileprivate(set) var pins: ArraySlice<PIN>
    }

    func draws(for openings: [RoomWriter.Job.Opening], _ memory: inout WriterMemory) throws(StoreError) -> [Draw] {
        var random = EnvironmentRandom(environment: environment)
        var space = settings.pinSpace
        while settings.pinSpaceGrows, space.isCrowded(by: try liveCount(space.digits, &memory)), let next = space.next {
            space = next
        }
        return openings.map { Draw(asNumber: $0.pinIsNumber, pins: space.draw(asNumbers: $0.pinIsNumber, using: &random)[...]) }
    }

    /// Takes for each room the first of its PINs that is free, and not another's in this batch. Of the first ones it is known already.
    mutating func pick(from draws: inout [Draw]) throws(StoreError) {
        var picked: Set<PIN> = []
        var taken = facts?.taken ?? []
        while !draws.isEmpty {
            var rest: [Draw] = []
            for var draw in draws {
                guard let pin = draw.pins.popFirst() else { continue }
                if taken.contains(pin) || !picked.insert(pin).inserted {
                    rest.append(draw)
                } else if draw.asNumber {
                    freeNumbers.append(pin)
                } else {
                    freePINs.append(pin)
                }
            }
            draws = rest
            var question = StoreQuestion()
            question.pins = Set(draws.compactMap(\.pins.first))
            if !question.isEmpty { taken = try store.facts(question, at: now).taken }
        }
    }

    /// One of the PINs that were found free. None of them is taken twice, so a room that is not opened after all leaves one over.
    mutating func takePIN(asNumber: Bool) throws(Failure) -> PIN {
        _ = try known()
        guard let pin = asNumber ? freeNumbers.popFirst() : freePINs.popFirst() else { throw .noFreePIN }
        return pin
    }

    private func liveCount(_ digits: Int, _ memory: inout WriterMemory) throws(StoreError) -> Int {
        if let count = memory.liveCounts[digits] { return count }
        var question = StoreQuestion()
        question.digits = [digits]
        let count = try store.facts(question, at: now).counts[digits, default: 0]
        memory.liveCounts[digits] = count
        return count
    }
}
