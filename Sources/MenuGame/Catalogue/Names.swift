/// The ids of a few dozen things. They are run through, which takes less than to hash one: hardly two of them are of one length.
struct Names: Sendable {
    private let ids: [Identifier]

    init(_ ids: [Identifier]) { self.ids = ids }

    /// Where the first of that name is; `nil` where there is none.
    func place(of id: Identifier) -> Int? {
        let ids = ids.span
        for place in ids.indices where ids[place] == id { return place }
        return nil
    }
}
