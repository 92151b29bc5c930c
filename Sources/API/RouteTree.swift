import HTTP

/// The endpoints by what their patterns begin with: a path goes down segment by segment.
///
/// Flat lists, and places in them instead of references: to count references would take longer than to go down.
struct RouteTree: Sendable {
    /// Where in the path the variables stand; empty where the pattern has none.
    struct Variables {
        var first = 0..<0
        var second = 0..<0
    }

    /// What some patterns have in common.
    private struct Node {
        /// Where in `branches` those are that the next segment is compared with.
        let branches: Range<Int>
        /// The node behind a variable, whatever the segment is.
        let variable: Int?
        /// Of the endpoint whose pattern ends here.
        let number: Int?
    }

    private struct Branch {
        /// Where in `texts` the segment is.
        let text: Range<Int>
        let node: Int
    }

    /// Of all endpoints that have a path.
    static let whole = RouteTree(
        Endpoint.all.dropFirst().flatMap { endpoint in
            (endpoint.takesSlash ? ["", "/"] : [""]).map { end in
                ((endpoint.pattern + end).split(separator: "/", omittingEmptySubsequences: false)[...], endpoint)
            }
        })

    private var nodes: [Node] = []
    private var branches: [Branch] = []
    private var texts: [UInt8] = []
    private var root = 0

    private typealias Rest = (segments: ArraySlice<Substring>, endpoint: Endpoint)

    private init(_ endpoints: [Rest]) { root = add(endpoints) }

    /// - Parameter endpoints: with what is left of their patterns.
    private mutating func add(_ endpoints: [Rest]) -> Int {
        var (variable, number): (Int?, Int?)
        var own: [Branch] = []
        // Variables in the same place are one, whatever they are called.
        let groups = Dictionary(grouping: endpoints) { $0.segments.first.map { $0.hasPrefix("{") ? "{}" : $0 } }
        // The table begins with what is asked for most.
        for (name, rests) in groups.sorted(by: { $0.value[0].endpoint.number < $1.value[0].endpoint.number }) {
            guard let name else {
                number = rests[0].endpoint.number
                continue
            }
            let node = add(rests.map { ($0.segments.dropFirst(), $0.endpoint) })
            guard name != "{}" else {
                variable = node
                continue
            }
            texts += name.utf8
            own.append(Branch(text: texts.count - name.utf8.count..<texts.count, node: node))
        }
        branches += own
        nodes.append(Node(branches: branches.count - own.count..<branches.count, variable: variable, number: number))
        return nodes.count - 1
    }

    /// The number of the endpoint that `path`, percent-encoded, leads to.
    func find(_ path: [UInt8], _ variables: inout Variables) -> Int? { find(path, from: 0, at: root, &variables) }

    /// - Parameter start: of the segment; `nil` behind the last.
    private func find(_ path: [UInt8], from start: Int?, at node: Int, _ variables: inout Variables) -> Int? {
        guard let start else { return nodes[node].number }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        let next = end < path.count ? end + 1 : nil
        for index in nodes[node].branches where spells(branches[index].text, path, start..<end) {
            if let number = find(path, from: next, at: branches[index].node, &variables) { return number }
        }
        guard let variable = nodes[node].variable, let number = find(path, from: next, at: variable, &variables) else { return nil }
        (variables.first, variables.second) = (start..<end, variables.first)
        return number
    }

    /// Whether a segment of `path`, when it is percent-decoded, is that text.
    private func spells(_ text: Range<Int>, _ path: [UInt8], _ segment: Range<Int>) -> Bool {
        guard segment.count >= text.count else { return false }
        var index = segment.lowerBound
        for place in text {
            guard index < segment.upperBound else { return false }
            if path[index] == texts[place] {
                index += 1
            } else if path[index] == UInt8(ascii: "%"), index + 2 < segment.upperBound, let high = path[index + 1].hexValue,
                let low = path[index + 2].hexValue, high << 4 | low == texts[place]
            {
                index += 3
            } else {
                return false
            }
        }
        return index == segment.upperBound
    }
}
