import HTTP
import MenuGame

@testable import API

/// Any bytes where a field, a path, a query, a PIN or a nickname is expected.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFields(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    checkNegotiation(input)
    checkTags(input)
    checkToken(input)
    checkPercent(input)
    checkPath(input)
    let text = String(decoding: input, as: UTF8.self)
    checkPIN(text)
    checkNickname(text)
    return 0
}

private func fields(_ name: String, _ values: [[UInt8]]) -> Fields {
    var fields = Fields()
    for value in values { fields.append(name: Array(name.utf8), value: value) }
    return fields
}

/// A list is the same list on one line and on several (RFC 9110 §5.3); a few are as good as many.
private func lines(_ list: [UInt8]) -> [[UInt8]] {
    list.split(separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
}

private func checkNegotiation(_ input: [UInt8]) {
    for element in WeightedList(input).elements {
        require((0...1000).contains(element.weight) && !element.value.isEmpty, "\(element)")
    }
    let language = Language(preferredBy: fields("Accept-Language", [input]))
    require(language == Language(preferredBy: fields("accept-language", lines(input))), "another language on several lines")
    let answer = accepts("application/json", fields("Accept", [input]))
    require(answer == accepts("application/json", fields("accept", lines(input))), "another type on several lines")
}

private func checkTags(_ input: [UInt8]) {
    let tag = "\"tag\""
    let isThere = isKnown(tag, to: fields("If-None-Match", [input]))
    require(isThere == isKnown(tag, to: fields("if-none-match", lines(input))), "another tag on several lines")
    require(isKnown(tag, to: fields("If-None-Match", [Array("W/\"x\", ".utf8) + Array(tag.utf8)])), "not the tag itself")
}

private func checkToken(_ input: [UInt8]) {
    if let token = bearerToken(fields("Authorization", [input])) {
        require((16...4096).contains(token.count) && token.allSatisfy { (0x21...0x7E).contains($0) }, "the token \(token)")
        require(String(decoding: input.prefix(7), as: UTF8.self).lowercased() == "bearer ", "a token without its scheme")
    }
    let isToken = (16...4096).contains(input.count) && input.allSatisfy { (0x21...0x7E).contains($0) }
    let read = bearerToken(fields("Authorization", [Array("Bearer ".utf8) + input]))
    require(!isToken || read.map(Array.init) == input, "not the token itself")
}

private func checkPercent(_ input: [UInt8]) {
    let hex = Array("0123456789aBcDeF".utf8)
    func encoded(_ text: String) -> [UInt8] { text.utf8.flatMap { [UInt8(ascii: "%"), hex[Int($0 >> 4)], hex[Int($0 & 15)]] } }
    if let text = percentDecoded(input[...]) {
        require(percentDecoded(encoded(text)[...]).map { Array($0.utf8) } == Array(text.utf8), "decoded \(text)")
    }
    guard let items = queryItems(input) else { return }
    let again = queryItems(
        Array(items.map { encoded($0.name) + [UInt8(ascii: "=")] + encoded($0.value) }.joined(separator: [UInt8(ascii: "&")])))
    func flat(_ items: [(name: String, value: String)]?) -> [[UInt8]]? { items?.flatMap { [Array($0.name.utf8), Array($0.value.utf8)] } }
    require(flat(again) == flat(items), "the items \(items)")
}

private func checkPath(_ input: [UInt8]) {
    let path = [UInt8(ascii: "/")] + input
    let match = RouteMatch(path: path, legacy: true)
    guard match.route != .unknown else { return }
    let pattern = match.endpoint.pattern
    require(pattern.first == "/" && pattern.count { $0 == "/" } == path.count { $0 == UInt8(ascii: "/") }, "\(match.route)")
}

private func checkPIN(_ text: String) {
    let isPIN = (6...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    require((PIN(text)?.text == text) == isPIN, "the PIN \(text)")
}

private func checkNickname(_ text: String) {
    let normalized = normalizedToNFC(text)
    require(normalized == text, "normalised to something else")
    require(normalizedToNFC(normalized).utf8.elementsEqual(normalized.utf8), "normalised further")
    guard let nickname = try? Nickname(text, normalize: normalizedToNFC) else { return }
    require((1...Limits.nicknameGraphemes).contains(nickname.text.count) && nickname.text.utf8.count <= Limits.nicknameBytes, "its length")
    let again = try? Nickname(nickname.text, normalize: normalizedToNFC)
    require(again?.text.utf8.elementsEqual(nickname.text.utf8) == true, "another nickname the second time")
    let padded = try? Nickname(" \t\(nickname.text)\u{3000}", normalize: normalizedToNFC)
    require(padded?.text.utf8.elementsEqual(nickname.text.utf8) == true, "another nickname within white space")
}
