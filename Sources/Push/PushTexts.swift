import MenuGame
import UseCases

/// What a lock screen says. Whoever looks at it learns no answer, no menu, no name and no PIN.
enum PushTexts {
    static let title = Localized(ko: "우리뭐먹지", en: "What shall we eat?")

    static func body(_ stage: PushStage) -> Localized {
        switch stage {
        case .allSubmitted: Localized(ko: "모두 답했어요. 결과를 공개해 보세요.", en: "Everybody has answered. You can reveal the result.")
        case .revealed: Localized(ko: "추천 결과가 나왔어요.", en: "The result is in.")
        case .decided: Localized(ko: "메뉴가 정해졌어요.", en: "It is decided what to eat.")
        case .expiring: Localized(ko: "방이 곧 사라져요. 아직 결과를 공개하지 않았어요.", en: "Your room ends soon, and its result has not been revealed.")
        case .over: Localized(ko: "방이 끝났어요.", en: "The room has ended.")
        }
    }
}
