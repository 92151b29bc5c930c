public import MenuGame
import Testing
public import UseCases

/// A small game to play in tests. One of its traits is written in decomposed Hangul.
public enum Sample {
    public static let decomposed = "\u{1102}\u{1161}"

    public static let catalogue: Catalogue = {
        var draft = CatalogueDraft()
        draft.fingerprint = "sample"
        draft.traits = ["soup", "rice", decomposed].map { ($0, text("\($0) 있음"), text("\($0) 없음")) }
        draft.vetoes = [("seafood", text("해산물"), text("새우"))]
        draft.cuisines = [("korean", text("한식")), ("western", text("양식"))]
        draft.cards = [
            ("soup", text("국물?"), .trait("soup")), ("staple", text("주식?"), .traits(["rice", decomposed], none: text("없음"))),
            ("cuisine", text("어디?"), .cuisines),
        ]
        draft.menus = (1...5).map { number in
            CatalogueDraft.Menu(
                id: "menu-\(number)", name: text("메뉴 \(number) 🍜"), emoji: "🍜", search: "메뉴", traits: [("soup", 3 - number), ("rice", 1)],
                cuisines: ["korean"], contains: number == 5 ? ["seafood"] : [])
        }
        do throws(CatalogueFaults) { return try Catalogue(draft, for: .rule) } catch {
            preconditionFailure("\(error.faults)")
        }
    }()

    public static let now = Instant(milliseconds: 1_790_000_000_000)

    public static func text(_ text: String) -> Localized { Localized(ko: text, en: "\(text) (en)") }

    public static func pin(_ number: Int) throws -> PIN { try #require(PIN(String(100_000 + number))) }

    public static func token(_ number: Int) -> TokenHash {
        TokenHash.beginning((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })
    }

    public static func room(
        _ id: String, pin: PIN, lifetime: Int64 = Limits.roomLifetime, revealWhen: RevealPolicy = RevealPolicy(),
        deadlineAt: Instant? = nil,
        at now: Instant = now
    ) -> Room {
        Room(
            id: Identifier(id), pin: pin, catalogue: catalogue, host: token(1), nickname: Nickname(stored: "민지 👩‍🍳"), revealWhen: revealWhen,
            deadlineAt: deadlineAt, lifetime: lifetime, at: now)
    }

    public static func sheet(_ soup: String = "like", staple: [String] = [decomposed], vetoes: [String] = []) throws -> AnswerSheet {
        try AnswerSheet(
            AnswerDraft(answers: [("soup", .word(soup)), ("staple", .list(staple)), ("cuisine", .list(["korean"]))], vetoes: vetoes),
            in: catalogue)
    }
}

extension Room {
    /// Reveals it, where the result itself is not of interest.
    public mutating func showResult(at now: Instant) throws(Refusal) { _ = try reveal(at: now) }

    /// What is to be written of what happened since.
    public mutating func change(basedOn sequence: Int?, receipts: [Receipt] = []) -> RoomChange {
        let events = takeEvents()
        return RoomChange(room: self, basedOn: sequence, events: events, receipts: receipts)
    }
}

extension RoomStore {
    /// Keeps what the sample's rooms are played with.
    public func keepSample() throws(StoreError) { try keep(catalogue: Array("{}".utf8), fingerprint: Sample.catalogue.fingerprint) }

    public func create(_ room: inout Room) throws {
        #expect(try commit([room.change(basedOn: nil)]) == [.stored])
    }

    /// Does something to a stored room, writes it down, and expects to be given the same back.
    public func check(_ room: inout Room, at now: Instant = Sample.now, _ body: (inout Room) throws -> Void) throws {
        let sequence = room.sequence
        try body(&room)
        #expect(try commit([room.change(basedOn: sequence)]) == [.stored])
        #expect(try load(room.pin, at: now) == RoomRecord(room))
    }
}
