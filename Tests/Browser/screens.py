"""A way past every screen there is."""

from server import Guest

WORDS = {
    "ko": {
        "open": "방 열기", "random": "아무거나", "solo": "혼자 고르기", "enter": "들어가기", "like": "좋아", "skip": "건너뛰기", "send": "보내기",
        "play": "내 카드 고르기", "mine": "내 답", "manage": "방 관리", "reveal": "결과 공개", "next": "다음 메뉴 보기", "decide": "이걸로 결정",
        "code": "들어오는 QR 코드", "close": "닫기", "remove": "내보내기", "cancel": "취소", "see": "결과 보기", "step": "9장 중 {}번째", "sent": "보냈어요",
        "gone": "그런 방이 없어요", "failed": "연결할 수 없어요", "rank": "{}순위", "decided": "오늘은 이거예요", "not now": "지금은 안 돼요", "vetoes": "못 먹는 것이 있나요?",
        "here": "명이 모였어요", "last known": "마지막으로 확인한", "answered": "명이 답했어요", "wrong": "그런 방이 없습니다", "done": "답했어요", "late": "다음 판에 함께하기", "missed": "반영되지 않았어요",
    },
    "en": {
        "open": "Open a room", "random": "Anything", "solo": "Just me", "enter": "Join", "like": "Like", "skip": "Skip", "send": "Send",
        "play": "Pick my cards", "mine": "My answers", "manage": "Manage the room", "reveal": "Reveal the result", "next": "Next menu",
        "decide": "Let’s have this", "code": "QR code to join", "close": "Close", "remove": "Remove", "cancel": "Cancel",
        "see": "Show the result", "step": "{} of 9", "sent": "Sent.", "gone": "There is no such room", "failed": "No connection",
        "rank": "No. {}", "decided": "This is it", "not now": "Not just now", "vetoes": "Anything you cannot eat?", "here": "people are here",
        "last known": "last known state", "answered": "have answered", "wrong": "There is no such room", "done": "answered", "late": "Join the next round", "missed": "did not count",
    },
}
NAMES = {"ko": ("민지", "준", "소라", "하나둘셋넷다섯여섯일곱여덟아홉열"), "en": ("Minji", "Jun", "Sora", "Bartholomew-Maximili")}


def walk(player, server, spoken="ko"):
    """Goes past every screen; stops at each, and says its name."""
    words = WORDS[spoken]
    names = NAMES[spoken]
    player.go()
    yield "home"
    player.press(words["random"])
    player.until("const image = document.querySelector('.drawn:not([hidden]) img'); return image?.complete && image.naturalWidth", "a menu")
    yield "home-random"
    player.fill("pin", "999999999").press(words["enter"]).sees(words["wrong"])
    yield "home-wrong-pin"
    player.press(words["solo"]).sees(words["step"].format(1))
    yield "card"
    for number in range(1, 8):
        player.sees(words["step"].format(number)).tap(words["like"])
    player.sees(words["step"].format(8))
    player.script("document.querySelector('.chip input').click()")
    yield "card-staple"
    player.tap(words["skip"]).sees(words["step"].format(9))
    yield "card-cuisine"
    player.tap(words["skip"]).sees(words["vetoes"])
    yield "vetoes"
    player.press(words["see"]).sees(words["rank"].format(1))
    yield "solo-result"

    player.go()
    player.fill("nickname", names[0]).press(words["open"]).sees(words["answered"])
    pin = player.script("return location.pathname.slice(3)")
    yield "room-new"
    player.press(words["code"]).until("return document.querySelector('dialog img').complete", "the code")
    yield "room-code"
    player.press(words["close"])
    guests = [Guest(server, pin, name) for name in names[1:]]
    guests[0].submit(spicy="dislike", staple=["noodle"], cuisine=["japanese", "korean"])
    player.press(words["play"])
    for _ in range(9):
        player.tap(words["skip"])
    player.sees(words["vetoes"]).press(words["send"]).sees(words["sent"], names[2])
    yield "room-waiting"
    player.press(words["mine"])
    yield "room-answers"
    player.press(words["mine"], words["manage"])
    player.press(words["remove"]).until("return document.querySelector('dialog[open]')", "a question")
    yield "room-remove"
    player.press(words["cancel"], words["manage"])
    token = player.script("return localStorage.token")
    nobody = "localStorage.token = JSON.stringify('a-device-that-is-nobody-yet'); return 0"
    player.script(nobody)
    player.go(f"/r/{pin}")
    player.sees(words["here"])
    yield "join"
    player.script("localStorage.token = arguments[0]", token)
    player.go(f"/r/{pin}")
    player.sees(words["sent"])
    # As if some time had gone by.
    player.script("const now = performance.now.bind(performance); performance.now = () => now() + 20_000")
    player.network(False)
    player.press(words["reveal"]).until("return document.querySelector('dialog[open]')", "a question")
    yield "room-reveal"
    player.confirm().sees(words["failed"])
    yield "room-failed"
    player.press(words["close"]).sees(words["last known"])
    yield "room-last-known"
    player.network(True)
    player.does_not_see(words["last known"])
    for guest in guests:
        guest.submit()
    player.press(words["reveal"]).sees(words["rank"].format(1))
    player.until("return document.querySelector('.menu img').naturalWidth", "the picture")
    yield "result"
    player.script(nobody)
    player.reload()
    player.sees(words["late"])
    yield "result-late"
    player.press(words["late"]).sees(words["missed"])
    yield "result-missed"
    player.script("localStorage.token = arguments[0]", token)
    player.reload()
    player.sees(words["rank"].format(1))
    player.press(words["next"]).press(words["next"]).sees(words["rank"].format(3))
    player.until("return document.querySelector('.menu img').complete", "the picture")
    yield "result-last"
    player.press(words["decide"]).confirm().sees(words["decided"])
    yield "decided"
    player.press(words["manage"])
    yield "decided-manage"
    player.go()
    player.until("return document.querySelector('.home > a')", "the way back")
    yield "home-way-back"
    player.go("/r/999999999")
    player.sees(words["gone"])
    yield "no-room"
    player.go()
    player.network(False)
    player.script("history.replaceState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", f"/r/{pin}")
    player.sees(words["failed"])
    yield "no-connection"
    player.network(True)
    player.go()
    player.script("""
        const body = JSON.stringify({status: 429, code: 'too-many-attempts', detail: ''});
        const headers = {'Content-Type': 'application/problem+json', 'Retry-After': '20'};
        window.fetch = async () => new Response(body, {status: 429, headers});
        history.replaceState(null, '', '/r/999999998');
        dispatchEvent(new PopStateEvent('popstate'));
    """)
    player.sees(words["not now"])
    yield "not-now"
