/// The languages that Hansang speaks, by their tags (RFC 5646); the first is the default.
public enum Language: String, CaseIterable, Sendable {
    case ko, en
}

/// A text for people, in every language that Hansang speaks.
public struct Localized: Hashable, Sendable {
    public let ko: String
    public let en: String

    public init(ko: String, en: String) {
        self.ko = ko
        self.en = en
    }

    /// The text in that language; there is always one.
    public subscript(language: Language) -> String {
        switch language {
        case .ko: ko
        case .en: en
        }
    }
}
