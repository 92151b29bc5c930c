/// The drawing of lots that decides where everything else is equal (S10): anybody who knows the seed can draw them again.
enum Lots {
    /// By menu of the catalogue, its place in the order of lots: smaller wins. Nothing but their order ever counts; where two lots
    /// are equal, ids decide by bytes.
    static func places(of menus: [Catalogue.Menu], seed: String) -> [Int] {
        let start = hash(CollectionOfOne(0x1F), after: hash(seed.utf8, after: 0xCBF2_9CE4_8422_2325))
        let lots = menus.map { mixed(hash($0.id.text.utf8, after: start)) }
        let order = menus.indices.sorted { a, b in lots[a] == lots[b] ? menus[a].id < menus[b].id : lots[a] < lots[b] }
        var places = Array(repeating: 0, count: menus.count)
        for (place, menu) in order.enumerated() { places[menu] = place }
        return places
    }

    /// FNV-1a-64.
    private static func hash(_ bytes: some Sequence<UInt8>, after start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// FNV alone hardly lets the last bytes reach the high bits.
    private static func mixed(_ hash: UInt64) -> UInt64 {
        var z = hash
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
