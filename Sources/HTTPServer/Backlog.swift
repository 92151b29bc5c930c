/// Work of a loop that is taken in slices, in the order it came.
struct Backlog<Item> {
    /// What came since the last slice was taken.
    var waiting: [Item] = []
    private var items: [Item] = []
    private var start = 0

    var isEmpty: Bool { waiting.isEmpty && start == items.count }

    mutating func add(_ more: [Item]) { waiting += more }

    mutating func take(atMost limit: Int) -> [Item] {
        if start == items.count {
            (items, start) = (waiting, 0)
            waiting = []
        }
        guard start < items.count else { return [] }
        let slice = Array(items[start..<min(items.count, start + limit)])
        start += slice.count
        // What has been taken is not kept alive.
        if start == items.count { (items, start) = ([], 0) }
        return slice
    }
}
