import JSON
import MenuGame

/// The rule once more, as simply as it can be said: every slate is tried. Written from the text of S1…S10 and knowing nothing of the
/// product's rule; ids are compared as bytes, which `Identifier` is for.
struct NaiveRule {
    typealias ID = Identifier

    struct Menu {
        let id: ID
        var values: [ID: Int]
        var cuisines: Set<ID>
        var contains: Set<ID>?
    }

    struct Member {
        var stances: [ID: Int] = [:]
        var cuisines: Set<ID> = []
        var vetoes: Set<ID> = []
        var weight = 1
    }

    var traits: [ID] = []
    var menus: [Menu] = []
    var members: [Member] = []
    var seed = ""
    var avoid: Set<ID> = []

    // MARK: S2, S4, S5

    func utility(_ member: Member, _ menu: Menu) -> Int {
        var sum = 0
        for trait in traits { sum += (member.stances[trait] ?? 0) * (menu.values[trait] ?? 0) }
        if member.cuisines.isEmpty || menu.cuisines.isEmpty { return sum }
        return sum + (member.cuisines.isDisjoint(with: menu.cuisines) ? -1 : 1)
    }

    func total(_ menu: Menu) -> Int {
        var sum = 0
        for member in members {
            let answered = member.stances.values.count { $0 != 0 } + (member.cuisines.isEmpty ? 0 : 1)
            if answered > 0 { sum += member.weight * utility(member, menu) * (27720 / answered) }
        }
        return sum
    }

    func isVetoed(_ menu: Menu) -> Bool {
        members.contains { member in
            !member.vetoes.isEmpty && (menu.contains.map { !$0.isDisjoint(with: member.vetoes) } ?? true)
        }
    }

    var pool: [Menu] {
        let allowed = menus.filter { !isVetoed($0) }
        let fresh = allowed.filter { !avoid.contains($0.id) }
        return fresh.count >= 3 ? fresh : allowed
    }

    func likes(_ member: Member, _ menu: Menu, in pool: [Menu]) -> Bool {
        let best = pool.map { utility(member, $0) }.max() ?? 0
        let own = utility(member, menu)
        return best > 0 ? 2 * own >= best : own == best
    }

    // MARK: S6

    func count(_ trait: ID, _ side: Int) -> Int { members.count { $0.stances[trait] == side } }

    func wishes(_ menu: Menu) -> Set<ID> {
        Set(
            traits.filter { trait in
                let value = menu.values[trait] ?? 0
                return value != 0 && 2 * count(trait, value.signum()) > members.count
            })
    }

    // MARK: S7

    /// What is known of each menu of the pool before slates are tried.
    struct Entry {
        let menu: Menu
        let likes: [Bool]
        let wishes: Set<ID>
        let total: Int
        let lot: (UInt64, ID)
    }

    func entries() -> [Entry] {
        let pool = pool
        return pool.map { menu in
            Entry(
                menu: menu, likes: members.map { likes($0, menu, in: pool) }, wishes: wishes(menu), total: total(menu), lot: lot(menu))
        }
    }

    func weight(_ isIn: (Int) -> Bool) -> Int { members.indices.reduce(0) { $0 + (isIn($1) ? members[$1].weight : 0) } }

    func isFair(_ slate: [Int], _ entries: [Entry]) -> Bool {
        let liked = members.indices.map { member in slate.count { entries[$0].likes[member] } }
        let everybody = weight { _ in true }
        for level in 1...3 {
            for m in entries.indices where !slate.contains(m) {
                if 4 * weight({ entries[m].likes[$0] && liked[$0] < level }) > level * everybody { return false }
            }
        }
        return true
    }

    /// Whether `a` is the better slate.
    func isBetter(_ a: [Int], than b: [Int], _ entries: [Entry]) -> Bool {
        for (x, y) in zip(numbers(a, entries), numbers(b, entries)) where x != y { return x > y }
        let (lotsA, lotsB) = (lots(a, entries), lots(b, entries))
        for (x, y) in zip(lotsA, lotsB) where x != y { return x < y }
        return false
    }

    private func numbers(_ slate: [Int], _ entries: [Entry]) -> [Int] {
        let liked = members.indices.map { member in slate.count { entries[$0].likes[member] } }
        return [
            slate.reduce(into: Set<ID>()) { $0.formUnion(entries[$1].wishes) }.count,
            members.indices.reduce(0) { $0 + members[$1].weight * [0, 6, 9, 11][liked[$1]] },
            weight { liked[$0] > 0 },
            slate.reduce(0) { $0 + entries[$1].total },
        ]
    }

    private func lots(_ slate: [Int], _ entries: [Entry]) -> [(UInt64, ID)] { slate.map { entries[$0].lot }.sorted { $0 < $1 } }

    func slate() -> [Entry] {
        let entries = entries()
        var best = Array(entries.indices.prefix(3))
        if entries.count > 3 {
            best = []
            for a in entries.indices {
                for b in entries.indices where b > a {
                    for c in entries.indices where c > b && isFair([a, b, c], entries) {
                        if best.isEmpty || isBetter([a, b, c], than: best, entries) { best = [a, b, c] }
                    }
                }
            }
        }
        // S8
        return best.map { entries[$0] }.sorted { a, b in
            let (likesA, likesB) = (weight { a.likes[$0] }, weight { b.likes[$0] })
            if likesA != likesB { return likesA > likesB }
            if a.total != b.total { return a.total > b.total }
            return a.lot < b.lot
        }
    }

    // MARK: S9

    func result() -> JSONValue {
        let slate = slate()
        var shown: Set<ID> = []
        var rows: [JSONValue] = []
        for (rank, entry) in slate.enumerated() {
            let later = slate[(rank + 1)...].reduce(into: Set<ID>()) { $0.formUnion($1.wishes) }
            // (level, −for, against, lacks, place of the trait)
            var candidates: [[Int]] = []
            for (place, trait) in traits.enumerated() {
                let side = (entry.menu.values[trait] ?? 0).signum()
                let (pro, con) = (count(trait, side), count(trait, -side))
                guard side != 0, pro > con else { continue }
                let isNew = entry.wishes.contains(trait) && !shown.contains(trait)
                let level = !isNew ? 2 : later.contains(trait) ? 1 : 0
                candidates.append([level, -pro, con, side > 0 ? 0 : 1, place])
            }
            let chosen = candidates.sorted { $0.lexicographicallyPrecedes($1) }.prefix(3)
            let printed = chosen.map { Array($0.dropFirst()) }.sorted { $0.lexicographicallyPrecedes($1) }
            for keyword in printed { shown.insert(traits[keyword[3]]) }
            rows.append(
                .object([
                    .init("id", .string(entry.menu.id.text)),
                    .init("likedBy", .integer(Int64(entry.likes.count { $0 }))),
                    .init("keywords", .array(printed.map(keyword))),
                ]))
        }
        return .object([.init("playerCount", .integer(Int64(members.count))), .init("menus", .array(rows))])
    }

    private func keyword(_ keyword: [Int]) -> JSONValue {
        .object([
            .init("trait", .string(traits[keyword[3]].text)),
            .init("side", .string(keyword[2] == 0 ? "has" : "lacks")),
            .init("supporters", .integer(Int64(-keyword[0]))),
            .init("opposers", .integer(Int64(keyword[1]))),
        ])
    }

    // MARK: S10

    func lot(_ menu: Menu) -> (UInt64, ID) {
        var h: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(seed.utf8) + [0x1F] + Array(menu.id.text.utf8) {
            h ^= UInt64(byte)
            h = h &* 0x0000_0100_0000_01B3
        }
        var z = h
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return (z ^ (z >> 31), menu.id)
    }
}

// MARK: - C, S1, S3: reading a case

extension NaiveRule {
    init(_ question: JSONValue) {
        let catalogue = question["catalogue"] ?? .null
        let only = question["menus"].map { Set(ids($0)) }
        traits = ids(catalogue["traits"])
        seed = question["seed"]?.string ?? ""
        avoid = Set(ids(question["avoid"]))
        menus = (catalogue["menus"]?.array ?? []).map(Menu.init).filter { only?.contains($0.id) ?? true }
        var current: [ID: Member] = [:]
        for submission in question["submissions"]?.array ?? [] {
            let member = submission["member"]?.string ?? ""
            var read = Member(submission, catalogue)
            read.weight = Int(question["weights"]?[member]?.integer ?? 1)
            current[ID(member)] = read
        }
        members = Array(current.values)
    }
}

extension NaiveRule.Menu {
    init(_ json: JSONValue) {
        id = Identifier(json["id"]?.string ?? "")
        values = [:]
        for member in json["traits"]?.object ?? [] { values[Identifier(member.name)] = Int(member.value.integer ?? 0) }
        cuisines = Set(ids(json["cuisines"]))
        contains = json["contains"]?.array.map { _ in Set(ids(json["contains"])) }
    }
}

extension NaiveRule.Member {
    init(_ submission: JSONValue, _ catalogue: JSONValue) {
        vetoes = Set(ids(submission["vetoes"]))
        for card in catalogue["cards"]?.array ?? [] {
            guard let answer = card["id"]?.string.flatMap({ submission["answers"]?[$0] }) else { continue }
            switch card["kind"]?.string {
            case "trait":
                guard let trait = ids(card["trait"].map { .array([$0]) }).first else { continue }
                stances[trait] = answer.string == "like" ? 1 : answer.string == "dislike" ? -1 : 0
            case "traits":
                for trait in ids(card["options"]) {
                    if ids(answer) == [Identifier("none")] { stances[trait] = -1 }
                    if ids(answer).contains(trait) { stances[trait] = 1 }
                }
            default:
                cuisines = Set(ids(answer))
                if cuisines == Set(ids(catalogue["cuisines"])) { cuisines = [] }
            }
        }
    }
}

private func ids(_ json: JSONValue?) -> [Identifier] { (json?.array ?? []).compactMap(\.string).map(Identifier.init) }
