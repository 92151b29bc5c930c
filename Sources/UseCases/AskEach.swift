/// What the store has under each of `keys`, asked for in one call; `nil` where it has nothing.
///
/// Where that call fails, each is asked for alone: it may be about one of them only, which is not to be held against the others. A store
/// that cannot be asked at all says so at once.
func askEach<Key: Hashable, Value>(
    _ keys: [Key], _ ask: ([Key]) throws(StoreError) -> [Key: Value]
) -> [Key: Result<Value?, StoreError>] {
    var answers: [Key: Result<Value?, StoreError>] = [:]
    func note(_ some: [Key]) throws(StoreError) {
        let values = try ask(some)
        for key in some { answers[key] = .success(values[key]) }
    }
    do throws(StoreError) { try note(keys) } catch {
        for key in keys {
            answers[key] = .failure(error)
            guard keys.count > 1 else { continue }
            do throws(StoreError) { try note([key]) } catch { answers[key] = .failure(error) }
        }
    }
    return answers
}
