/// What a member wants to be called: 1 to 20 graphemes in Normalization Form C that can be seen and do not reorder the text around them.
public struct Nickname: Hashable, Sendable {
    /// Not empty, without white space at its ends.
    public let text: String

    /// Why a text is no nickname.
    public enum Fault: Error, Hashable, Sendable {
        /// White space at most.
        case empty
        /// More graphemes or bytes than `Limits` has for it.
        case tooLong
        /// A control, format or unassigned character.
        case forbiddenCharacter
        /// Nothing in it can be seen.
        case invisible
    }

    /// The nickname in `text`, white space at the ends taken off.
    ///
    /// - Parameter normalize: brings a text into Normalization Form C (UAX #15). The tables for that are not the language's to offer, so
    ///   they are lent. Called once, with at most four times `Limits.nicknameBytes`.
    /// - Throws: the first thing wrong with it.
    public init(_ text: String, normalize: (String) -> String) throws(Fault) {
        // Bounded before anything walks over it.
        guard text.utf8.count <= 4 * Limits.nicknameBytes else { throw .tooLong }
        let normalized = normalize(text)
        let first = normalized.firstIndex { !$0.isWhitespace } ?? normalized.endIndex
        let last = normalized.lastIndex { !$0.isWhitespace }
        let trimmed = last.map { String(normalized[first...$0]) } ?? ""
        guard !trimmed.isEmpty else { throw .empty }
        guard trimmed.utf8.count <= Limits.nicknameBytes, trimmed.count <= Limits.nicknameGraphemes else { throw .tooLong }
        guard trimmed.unicodeScalars.allSatisfy(Self.isAllowed) else { throw .forbiddenCharacter }
        guard trimmed.unicodeScalars.contains(where: Self.isVisible) else { throw .invisible }
        self.text = trimmed
    }

    /// A nickname that was valid when it was stored: it is not checked again, so that a stricter rule makes no room unreadable.
    public init(stored text: String) { self.text = text }

    /// No controls, no direction marks (which turn the text around a name over), nothing unassigned or private.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Of the format characters only those that emoji and some scripts are written with: joiners, and tags of flags.
        case .format: scalar == "\u{200D}" || scalar == "\u{200C}" || (0xE0020...0xE007F).contains(scalar.value)
        default: true
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint, !properties.isWhitespace else { return false }
        switch properties.generalCategory {
        // Marks need something to stand on.
        case .format, .nonspacingMark, .enclosingMark: return false
        // A braille blank is a symbol to Unicode and nothing to the eye.
        default: return scalar != "\u{2800}"
        }
    }
}
