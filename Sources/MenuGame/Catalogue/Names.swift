/// The ids of a few dozen things, one behind the other. They are run through, which takes less than to hash one: hardly two of them are of
/// one length.
struct Names: Sendable {
    private let bytes: [UInt8]
    /// Where in `bytes` each of them ends.
    private let ends: [Int]

    init(_ ids: [Identifier]) {
        bytes = ids.flatMap { Array($0.text.utf8) }
        var end = 0
        ends = ids.map { id in
            end += id.text.utf8.count
            return end
        }
    }

    /// Where the first of that name is; `nil` where there is none.
    func place(of id: Identifier) -> Int? {
        let (bytes, ends, name) = (bytes.span, ends.span, id.text.utf8.span)
        var start = 0
        for place in ends.indices {
            let end = ends[place]
            if end - start == name.count, bytes.extracting(start..<end).isSame(as: name) { return place }
            start = end
        }
        return nil
    }
}
