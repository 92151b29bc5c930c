/// What the store has under each of `keys`, asked for in one call; `nil` where it has nothing.
///
/// Where that call fails, each is asked for alone: it may be about one of them only, which is not to be held against the others. Where
/// the first three fail, and in the same words, it is the store that fails, and nobody waits until it has done so for all.
func askEach<Key: Hashable, Value>(
    _ keys: [Key], _ ask: ([Key]) throws(StoreError) -> [Key: Value]
) -> [Key: Result<Value?, StoreError>] {
    var answers: [Key: Result<Value?, StoreError>] = [:]
    func note(_ some: [Key]) throws(StoreError) {
        let values = try ask(some)
        for key in some { answers[key] = .success(values[key]) }
    }
    do throws(StoreError) { try note(keys) } catch {
        guard keys.count > 1 else { return Dictionary(uniqueKeysWithValues: keys.map { ($0, .failure(error)) }) }
        var (answered, errors) = (0, Set<StoreError>())
        for (place, key) in keys.enumerated() {
            if place >= 3, answered == 0, errors.count == 1, let ofStore = errors.first {
                answers[key] = .failure(ofStore)
                continue
            }
            do throws(StoreError) {
                try note([key])
                answered += 1
            } catch {
                errors.insert(error)
                answers[key] = .failure(error)
            }
        }
    }
    return answers
}
