import MenuGame
import Testing

@Suite("Likes and wishes")
struct LikesAndWishesTests {
    private let abc = TinyCatalogue(traits: ["a", "b", "c"])

    @Test("half of the best is liked, less is not") func half() throws {
        let catalogue = try abc.with(.init("three", ["a": 1, "b": 1, "c": 1]), .init("two", ["a": 2]), .init("one", ["b": 1]))
        #expect(try catalogue.likes(of: [catalogue.ballot("a", "b", "c")]) == ["three": 1, "two": 1, "one": 0])
    }

    @Test("where nothing is good, only the least bad is liked") func leastBad() throws {
        let catalogue = try abc.with(.init("mild", ["a": 1]), .init("hot", ["a": 2]), .init("mild too", ["a": 1, "b": 2]))
        #expect(try catalogue.likes(of: [catalogue.ballot(not: ["a"])]) == ["mild": 1, "hot": 0, "mild too": 1])
    }

    @Test("where nothing is better than indifferent, all the indifferent are liked") func indifferent() throws {
        let catalogue = try abc.with(.init("a", ["a": 1]), .init("b", ["b": 1]), .init("plain"))
        #expect(try catalogue.likes(of: [catalogue.ballot(not: ["a"])]) == ["a": 0, "b": 1, "plain": 1])
        #expect(try catalogue.likes(of: [catalogue.ballot()]) == ["a": 1, "b": 1, "plain": 1])
    }

    @Test("the best is the best of what is left by the vetoes") func bestOfPool() throws {
        let catalogue = try abc.with(
            .init("best", ["a": 2, "b": 2], contains: ["fish"]), .init("good", ["a": 2]), .init("fair", ["a": 1]), .init("plain"))
        let eater = try catalogue.ballot("a", "b")
        let allergic = try catalogue.ballot(not: ["c"], vetoes: ["fish"])
        #expect(catalogue.likes(of: [eater, allergic]) == ["good": 2, "fair": 2, "plain": 1])
    }

    @Test("unknown contents are excluded by any veto, known ones by their own alone") func unknownContents() throws {
        let catalogue = try abc.with(.init("unknown", contains: nil), .init("fish", contains: ["fish"]), .init("free"), .init("too"))
        #expect(try catalogue.likes(of: [catalogue.ballot(vetoes: ["nuts"])]).keys.sorted() == ["fish", "free", "too"])
        let fewer = Recommendation(of: [try catalogue.ballot(vetoes: ["fish"])], in: catalogue, seed: "room")
        #expect(fewer.menus.count == 2)
        #expect(fewer.reason == .vetoesLeftFewer)
        #expect(fewer.excludedMenus == 2)
    }

    @Test("a wanted cuisine counts one for, another one against, an unknown one nothing") func cuisines() throws {
        let catalogue = try abc.with(
            .init("east", ["a": 1], cuisines: ["east"]), .init("west", ["a": 1], cuisines: ["west"]), .init("unknown", ["a": 1]))
        // Worth 2, 0 and 1: half of the best is enough.
        #expect(try catalogue.likes(of: [catalogue.ballot("a", cuisines: ["east"])]) == ["east": 1, "west": 0, "unknown": 1])
        #expect(try catalogue.likes(of: [catalogue.ballot("a", cuisines: ["east", "west"])]) == ["east": 1, "west": 1, "unknown": 1])
    }

    @Test("a wish is what more than half of everybody asks for, those who skip included") func strictMajority() throws {
        // `b` can only come in as a wish: everybody who wants it is content with `a` alone.
        let catalogue = try abc.with(
            .init("a1", ["a": 2]), .init("a2", ["a": 2]), .init("a3", ["a": 2]), .init("b", ["b": 1]))
        let both = try catalogue.ballot("a", "b")
        let silent = try catalogue.ballot("a")
        #expect(catalogue.likes(of: [both, both, silent]).keys.contains("b"))
        #expect(!catalogue.likes(of: [both, both, silent, silent]).keys.contains("b"))
    }

    @Test("weights do not make a wish") func weightsNotInWishes() throws {
        let catalogue = try abc.with(
            .init("a1", ["a": 2]), .init("a2", ["a": 2]), .init("a3", ["a": 2]), .init("b", ["b": 1]))
        let both = try catalogue.ballot("a", "b", weight: 4)
        let silent = try catalogue.ballot("a")
        #expect(!catalogue.likes(of: [both, both, silent, silent]).keys.contains("b"))
    }

    @Test("keywords are what more ask for than against, most wanted first, and never unknown") func keywords() throws {
        let catalogue = try abc.with(.init("all", ["a": 1, "b": -2, "c": 2]), .init("none", ["a": 0]))
        let ballots = [
            try catalogue.ballot("a", "c", not: ["b"]), try catalogue.ballot("c", not: ["b", "a"]), try catalogue.ballot("c"),
        ]
        #expect(catalogue.keywords(of: ballots) == ["all": ["+c", "-b"], "none": []])
    }

    @Test("nobody's menus are the three smallest lots") func nobody() throws {
        let catalogue = try abc.with(.init("one"), .init("two"), .init("three"), .init("four"))
        let seeds = (0..<32).map { seed in
            Recommendation(of: [], in: catalogue, seed: "\(seed)").menus.map { catalogue.menus[$0.menu].id.text }
        }
        #expect(seeds.allSatisfy { $0.count == 3 })
        #expect(Set(seeds).count > 10)
    }
}
