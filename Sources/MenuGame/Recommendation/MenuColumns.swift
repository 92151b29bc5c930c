/// A catalogue's menus turned on their side: one number a menu, in one row for each thing that the rule asks of all of them.
///
/// Every submission asks every menu, so these are laid out to be run through.
struct MenuColumns: Sendable {
    /// By trait, then by menu: −2…2.
    let values: [[Int8]]
    /// By menu, bits of its cuisines; none where unknown.
    let cuisines: [UInt64]
    /// By menu, bits of the vetoes that exclude it: all where its contents are unknown, for then any veto does (S4).
    let excluders: [UInt64]

    init(_ menus: [Catalogue.Menu], traitCount: Int) {
        values = (0..<traitCount).map { trait in menus.map { Int8(clamping: $0.values[trait]) } }
        cuisines = menus.map(\.cuisines.bits)
        excluders = menus.map { $0.contains?.bits ?? .max }
    }
}

extension Array {
    /// Puts what `operation` makes of it and its neighbour in `column`, which is as long, in place of every element. Checked once and not
    /// for every element, so that the processor takes many at a time.
    mutating func combine<Other>(_ column: [Other], _ operation: (Element, Other) -> Element) {
        precondition(column.count == count)
        withUnsafeMutableBufferPointer { elements in
            column.withUnsafeBufferPointer { column in
                for index in elements.indices { elements[index] = operation(elements[index], column[index]) }
            }
        }
    }
}
