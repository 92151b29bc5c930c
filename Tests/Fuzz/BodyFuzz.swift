import GameJSON
import JSON
import MenuGame

@testable import API

/// Any bytes as the body of a request or a file: nothing traps, and whatever is understood is written down and understood the same.
///
/// Jansson takes its memory by the block (`JSONArena`): the sanitizer sees who reads a text that is gone, and not who reads from one of its
/// pieces into the next.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBodies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let text = try? JSONText(parsing: UnsafeBufferPointer(start: start, count: count)) else { return 0 }
    let json = JSONValue(text)
    checkReading(text, json)
    checkWriting(json)
    checkAnswers(json)
    checkCatalogue(json)
    checkWish(json)
    return 0
}

private func bytes(_ json: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(json)
    return writer.bytes
}

private func checkWriting(_ json: JSONValue) {
    let written = bytes(json)
    guard let again = try? JSONValue(parsing: written) else { return require(false, "wrote \(text(written))") }
    // Strings compare equal when they are only equivalent; their bytes do not.
    require(again == json && bytes(again) == written, "wrote \(text(written)), read \(text(bytes(again)))")
}

private func checkReading(_ text: JSONText, _ json: JSONValue) {
    var (ofText, ofJSON): ([ShapeFault], [ShapeFault]) = ([], [])
    let (a, b) = (AnswerDraft(json: text, faults: &ofText), AnswerDraft(json: json, faults: &ofJSON))
    require(a == b && ofText == ofJSON, "\(a) and \(b), \(ofText) and \(ofJSON)")
}

private func checkAnswers(_ json: JSONValue) {
    var faults: [ShapeFault] = []
    let draft = AnswerDraft(json: json, faults: &faults)
    let stored = StoredJSON.text(of: [draft])
    // A name that is there twice cannot come from JSON, so whatever was read can be stored.
    guard let read = try? StoredJSON.ballots(stored) else { return require(false, "stored \(text(stored))") }
    require(read == [draft] && StoredJSON.text(of: read) == stored, "stored \(text(stored)), read \(read)")
    guard let sheet = try? AnswerSheet(draft, in: table) else { return }
    guard let again = try? AnswerSheet(sheet.draft(in: table), in: table) else { return require(false, "no sheet of its own draft") }
    require(again == sheet, "another sheet of its own draft")
}

private func checkCatalogue(_ json: JSONValue) {
    for purpose in [Catalogue.Purpose.play, .rule] {
        do throws(CatalogueFaults) {
            let catalogue = try Catalogue(json: json, fingerprint: "", for: purpose)
            let sheet = try? AnswerSheet(AnswerDraft(), in: catalogue)
            require(sheet != nil && catalogue.traits.count <= Limits.traits, "a catalogue that cannot be played")
        } catch {
            require(!error.faults.isEmpty, "a catalogue refused without a reason")
        }
    }
    if let question = try? RecommendationCase(json: json) {
        let menus = question.recommendation.menus
        require(menus.count <= Limits.slate, "\(menus.count) menus")
    }
    _ = try? StoredJSON.outcome(bytes(json))
}

private func checkWish(_ json: JSONValue) {
    _ = try? RoundWish(json)
    let now = Instant(milliseconds: 1_790_000_000_000)
    guard let wish = try? RoomWish(json, at: now, lifetime: Limits.roomLifetime) else { return }
    require(wish.revealWhen.canBeMet, "a room that nobody can reveal")
    if let deadline = wish.deadlineAt { require(deadline > now, "a deadline that is over") }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A catalogue with a card of each kind.
private let table: Catalogue = {
    let source = """
        {"traits":["hot","rice","soup"],"vetoes":["meat","fish"],"cuisines":["korean","western"],
         "cards":[{"id":"hot","kind":"trait","trait":"hot"},{"id":"staple","kind":"traits","options":["rice","soup"]},
                  {"id":"cuisine","kind":"cuisines"}],
         "menus":[{"id":"a","traits":{"hot":2},"cuisines":[],"contains":[]}]}
        """
    guard let json = try? JSONValue(parsing: source.utf8), let table = try? Catalogue(json: json, fingerprint: "", for: .rule) else {
        preconditionFailure("the catalogue of this file is none")
    }
    return table
}()
