/// A catalogue's menus turned on their side: one number a menu, in one row for each thing that the rule asks of all of them.
///
/// Every ballot asks every menu, so these are laid out to be run through.
struct MenuColumns: Sendable {
    /// By trait, then by menu: −2…2.
    let values: [[Int8]]
    /// By cuisine, then by menu: 1 where it is one of the menu's.
    let cuisines: [[Int8]]
    /// By menu: 1 where its cuisines are known.
    let hasCuisine: [Int8]
    /// By menu, bits of the vetoes that exclude it: all where its contents are unknown, for then any veto does (S4).
    let excluders: [UInt64]

    init(_ menus: [Catalogue.Menu], traitCount: Int, cuisineCount: Int) {
        values = (0..<traitCount).map { trait in menus.map { Int8(clamping: $0.values[trait]) } }
        cuisines = (0..<cuisineCount).map { cuisine in menus.map { $0.cuisines.contains(cuisine) ? 1 : 0 } }
        hasCuisine = menus.map { $0.cuisines.isEmpty ? 0 : 1 }
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
