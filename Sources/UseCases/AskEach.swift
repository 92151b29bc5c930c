/// What the store has under each of `keys`, asked for in one call; `nil` where it has nothing.
///
/// Where that call fails, each is asked for alone: it may be about one of them only, which is not to be held against the others. Two that
/// fail in the same words are no longer about themselves but about the store, and then nobody waits until it has failed for all.
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
        var errors: Set<StoreError> = []
        var ofStore: StoreError?
        for key in keys {
            if let ofStore {
                answers[key] = .failure(ofStore)
                continue
            }
            do throws(StoreError) { try note([key]) } catch {
                answers[key] = .failure(error)
                if !errors.insert(error).inserted { ofStore = error }
            }
        }
    }
    return answers
}
