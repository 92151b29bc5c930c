"""Whole games, in browsers that know nothing of one another."""

import pytest

from players import BACKSPACE, eventually
from server import Guest


def test_two_play_from_the_first_page_to_the_next_round(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지", who="host")
    minji.sees(f"{pin[:3]} {pin[3:]}", "1명 중 0명이 답했어요", "민지", "방장")

    # By the PIN, as it is read out.
    jun.go()
    jun.fill("pin", f" {pin[:3]} {pin[3:]} ").press("들어가기").sees("민지 님의 방", "1명이 모였어요")
    jun.fill("nickname", "준").press("들어가서 카드 고르기")
    minji.sees("2명 중 0명이 답했어요", "준")
    minji.until("return document.querySelector('#news').textContent === '준 님이 들어왔어요.'", "that to be read out")
    jun.submit("해산물")
    minji.sees("2명 중 1명이 답했어요", "아직 1명이 고르는 중이에요")

    # Taken back, and given once more.
    jun.press("처음부터 다시 고르기").sees("9장 중 1번째")
    minji.sees("2명 중 0명이 답했어요")
    jun.submit(traits=("별로",) * 6 + ("건너뛰기",), options=("밥", None)).sees("방장이 결과를 공개해요")
    assert not jun.can_press("결과 공개")
    minji.press("내 카드 고르기").submit().sees("2명 중 2명이 답했어요", "모두 답했어요")
    jun.sees("보냈어요.", "방장이 결과를 공개해요").does_not_see("기다리는 중이에요")

    minji.press("결과 공개").sees("오늘의 한상", "1순위", "2명의 답으로 골랐어요")
    # Of two, the number would tell one what the other cannot eat.
    minji.does_not_see("개를 뺐어요")
    jun.sees("오늘의 한상", "1순위", "방장이 메뉴를 정해요")
    assert jun.menu == minji.menu
    first = minji.menu
    # "Next" leads on twice, and there is the end.
    minji.press("다음 메뉴 보기").sees("2순위").press("다음 메뉴 보기").sees("3순위")
    assert not minji.can_press("다음 메뉴 보기")
    minji.press(f"1. {first}").sees("1순위")
    assert not jun.can_press("이걸로 결정")
    minji.press("이걸로 결정").sees(f"{first}, 이걸로 결정할까요?").confirm().sees("오늘은 이거예요")
    jun.sees("오늘은 이거예요")
    assert jun.menu == minji.menu == first

    minji.press("새로 한 판").sees("새로 한 판 할까요?").confirm().sees("2명 중 0명이 답했어요")
    jun.sees("2명 중 0명이 답했어요").press("내 카드 고르기").submit()
    minji.sees("2명 중 1명이 답했어요").press("결과 공개").confirm().sees("1순위", "1명의 답으로 골랐어요")
    jun.sees("1순위")
    assert jun.menu == minji.menu != first


def test_alone(player):
    sora = player()
    sora.go()
    sora.press("혼자 고르기").answer().press("고기", "결과 보기").sees("오늘의 한상", "1순위")
    first = sora.menu
    sora.press("다음 메뉴 보기").sees("2순위")
    sora.reload()
    # As far as it was looked at.
    sora.sees("2순위", f"1. {first}").press("다시 고르기").sees("9장 중 1번째")
    sora.answer()
    # What cannot be eaten was asked once.
    assert sora.script("return [...document.querySelectorAll('.chip input:checked')].map((box) => box.value)") == ["meat"]
    sora.back()
    sora.sees("오늘의 한상")
    sora.go()
    sora.press("아무거나").sees("고기 빼고 골랐어요")


def test_a_link_leads_into_the_room_and_a_pasted_one_too(player, server):
    minji, jun = player(), player()
    pin = minji.open_room()
    jun.go()
    jun.script("document.getElementById('pin').value = arguments[0]", f"골라요. PIN {pin}\n{server.url}/r/{pin}")
    jun.press("들어가기").sees("1명이 모였어요")
    jun.go(f"/r/{pin}")
    jun.press("들어가서 카드 고르기").sees("9장 중 1번째")
    minji.sees("손님 2")


def test_a_pin_that_no_room_has(player):
    jun = player()
    jun.go()
    jun.fill("pin", "12").press("들어가기").sees("PIN은 숫자 여섯 자리예요")
    jun.fill("pin", "999999999").press("들어가기").sees("그런 방이 없습니다")
    jun.go("/r/999999999")
    jun.sees("그런 방이 없어요")
    assert not jun.can_press("다시 시도")
    jun.press("새로 시작하기").sees("오늘 뭐 먹지?")
    # What is no PIN is no room.
    jun.go("/r/lunch")
    jun.sees("그런 방이 없어요")


def test_reload_back_and_coming_back_lead_to_the_right_screen(player):
    minji = player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").sees("9장 중 1번째").press("좋아").sees("9장 중 2번째").press("별로").sees("9장 중 3번째")
    minji.reload()
    minji.sees("9장 중 3번째").keys(BACKSPACE).sees("9장 중 2번째")
    assert minji.script("return document.querySelector('[aria-pressed=true]').innerText.trim()").endswith("별로")
    minji.back()
    minji.sees("1명 중 0명이 답했어요", "이어서 고르기 (2/9)")
    minji.script("history.forward()")
    minji.sees("9장 중 2번째")
    minji.go(f"/r/{pin}")
    minji.press("이어서 고르기").sees("9장 중 2번째").press("뒤로").sees("9장 중 1번째").press("뒤로").sees("내 카드 고르기")
    minji.press("내 카드 고르기").submit()
    minji.reload()
    minji.sees("보냈어요", "1명 중 1명이 답했어요").press("결과 공개").sees("1순위").press("다음 메뉴 보기").sees("2순위")
    minji.reload()
    minji.sees("2순위")
    # The address of the cards is no way around the result.
    minji.go(f"/r/{pin}#play")
    minji.sees("오늘의 한상")


def test_the_host_hands_over_removes_and_closes(player):
    minji, jun, sora = player(), player(), player()
    pin = minji.open_room("민지", who="host")
    jun.join(pin, "준")
    sora.join(pin, "소라")
    minji.sees("소라").press("방 관리", "소라 님 내보내기").sees("소라 님을 내보낼까요?")
    minji.press("취소").sees("소라")
    minji.press("소라 님 내보내기").sees("소라 님을 내보낼까요?")
    minji.confirm()
    minji.sees("2명 중 0명이 답했어요")
    assert not minji.can_press("소라 님 내보내기")
    sora.sees("들어가서 카드 고르기").go(f"/r/{pin}")
    sora.press("들어가서 카드 고르기").sees("이 방에는 다시 들어올 수 없어요", "방장이 내보냈어요")
    assert sora.script("return [location.hash, document.querySelector('#message').hidden]") == ["", True]
    sora.press("새로 시작하기").sees("오늘 뭐 먹지?")
    minji.press("준 님 방장 넘기기").sees("준 님에게 방장을 넘길까요?")
    minji.confirm()
    minji.sees("방장이 결과를 공개해요")
    jun.go(f"/r/{pin}")
    jun.sees("한 명이라도 답하면 공개할 수 있어요").press("방 관리", "방 닫기").sees("방을 닫을까요?")
    jun.confirm()
    jun.sees("오늘 뭐 먹지?")
    # Who was in it is not told that there never was such a room.
    minji.sees("방이 끝났어요", "방장이 닫았거나").does_not_see("그런 방이 없어요")


def test_with_the_result_too_the_host_hands_over_and_removes_and_everybody_may_leave(player, server):
    minji, jun, watcher = player(), player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준").submit()
    Guest(server, pin, "소라")
    minji.sees("소라").press("결과 공개").confirm().sees("1순위")
    watcher.go(f"/r/{pin}")
    watcher.sees("1순위")
    # Who only looks has nothing to leave.
    assert not watcher.can_press("방 관리")
    minji.press("방 관리", "소라 님 내보내기").sees("소라 님을 내보낼까요?").confirm()
    minji.until("return document.querySelectorAll('.manage li').length === 1", "one member to be left")
    jun.sees("1순위").press("방 관리")
    assert not jun.can_press("방 닫기")
    minji.press("준 님 방장 넘기기").confirm()
    jun.sees("방 닫기", "이걸로 결정")
    minji.sees("방장이 메뉴를 정해요").press("방 나가기").sees("나온 결과는 그대로예요").confirm()
    minji.sees("오늘 뭐 먹지?")
    jun.sees("1순위").press("방 닫기").sees("방을 닫을까요?").confirm()
    jun.sees("오늘 뭐 먹지?")
    watcher.sees("방이 끝났어요")


def test_what_was_sent_can_be_amended_in_the_waiting_room(player, server):
    minji = player()
    pin = minji.open_room()
    minji.press("내 카드 고르기").submit().press("내 답")
    minji.script("document.querySelector('input[name=mine-spicy][value=dislike]').click()")
    token = minji.script("return JSON.parse(localStorage.token)")
    read = lambda: server.send("GET", f"/v1/rooms/{pin}/submission", token)["answers"]
    minji.until("return document.querySelector('input[name=mine-spicy][value=dislike]').checked", "the tap to show")
    eventually(lambda: read()["spicy"] == "dislike")
    assert read()["greasy"] == "like"


def test_news_moves_neither_focus_nor_scroll_and_draws_nothing_anew(player, server):
    minji = player(size=(390, 500))
    pin = minji.open_room("민지")
    Guest(server, pin, "준")
    minji.sees("준").press("방 관리")
    minji.script("""
        window.entry = document.querySelector('.people li');
        document.querySelector('.manage button').focus({preventScroll: true});
        window.focused = document.activeElement;
        scrollTo(0, 150);
    """)
    Guest(server, pin, "소라").submit()
    minji.sees("소라", "3명 중 1명이 답했어요")
    assert minji.script("""
        return [entry === document.querySelector('.people li'), document.activeElement === focused, scrollY]
    """) == [True, True, 150]


@pytest.mark.long
def test_eight_play(player):
    host, *others = [player() for _ in range(8)]
    pin = host.open_room("하나")
    for number, other in enumerate(others, 2):
        other.join(pin, f"친구{number}")
    host.sees("8명 중 0명이 답했어요")
    for number, other in enumerate(others, 1):
        other.submit(traits=(("좋아", "별로", "건너뛰기")[number % 3],) * 7, options=(("국물", "밥", "면")[number % 3], "한식"))
        host.sees(f"8명 중 {number}명이 답했어요")
    host.press("내 카드 고르기").submit().press("결과 공개").sees("1순위", "8명의 답으로 골랐어요")
    for other in others:
        other.sees("1순위")
        assert other.menu == host.menu
    host.press("다음 메뉴 보기").sees("2순위").press("이걸로 결정").confirm().sees("오늘은 이거예요")
    for other in others:
        other.sees("오늘은 이거예요")
        assert other.menu == host.menu


def test_a_result_is_shared_by_what_the_phone_has_for_that_else_copied(player, server):
    minji = player()
    pin = minji.open_room()
    minji.press("내 카드 고르기").submit().press("결과 공개").sees("1순위")
    menus = server.send("GET", f"/v1/rooms/{pin}/result", "device-token-of-nobody")["menus"]
    text = "오늘의 한상: " + ", ".join(f"{menu['rank']}. {menu['name']}" for menu in menus)
    minji.script("""
        window.shared = [];
        Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {writeText: async (text) => { shared.push(text); }}});
    """)
    minji.script("navigator.share = undefined")
    minji.press("결과 공유").sees("복사했어요")
    assert minji.script("return shared") == [f"{text}\n{server.url}/r/{pin}"]
    minji.script("navigator.share = async (what) => { shared.push(what); }")
    minji.press("결과 공유").until("return shared.length > 1", "the result to be shared")
    assert minji.script("return shared[1]") == {"text": text, "url": f"{server.url}/r/{pin}"}
    # A browser that lets no page write there still lets people select.
    minji.script("navigator.share = undefined; navigator.clipboard.writeText = async () => { throw new Error('no'); }")
    minji.press("결과 공유").sees("이것을 복사하세요")
    assert minji.script("return document.querySelector('dialog textarea').value") == f"{text}\n{server.url}/r/{pin}"


def test_closing_the_tab_and_coming_back(player):
    minji = player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").submit()
    minji.reopen()
    minji.go(f"/r/{pin}")
    minji.sees("보냈어요", "결과 공개").press("결과 공개").sees("1순위")


def test_the_first_page_leads_back_into_the_room_while_one_is_in_it(player, server):
    minji, jun = player(), player()
    pin = minji.open_room("민지", who="host")
    back = f"있던 방으로 돌아가기 · {pin[:3]} {pin[3:]}"
    # Who only looks is in no room.
    jun.go(f"/r/{pin}")
    jun.sees("들어가서 카드 고르기").press("한상").sees("오늘 뭐 먹지?")
    assert not jun.can_press(back)
    jun.join(pin, "준").press("한상").press(back).sees("2명 중 0명이 답했어요")
    jun.press("방 관리", "방 나가기").confirm()
    jun.sees("오늘 뭐 먹지?")
    assert not jun.can_press(back)
    # Closed by the host, also while the page was closed.
    jun.join(pin, "준").press("한상").sees(back)
    other = Guest(server, pin, "소라")
    minji.sees("소라").press("한상").press(back).sees("3명 중 0명이 답했어요").press("방 관리", "소라 님 방장 넘기기").confirm()
    minji.sees("방장이 결과를 공개해요")
    other.send("DELETE")
    minji.sees("방이 끝났어요").press("새로 시작하기").sees("오늘 뭐 먹지?")
    assert not minji.can_press(back)
    jun.reload()
    jun.until("return localStorage.room === undefined", "the room to be forgotten")
    jun.until("return !document.body.innerText.includes('돌아가기')", "no way back")


def test_when_a_room_ends_is_what_the_server_says(player, server):
    minji = player()
    pin = minji.open_room()
    at = server.send("GET", f"/v1/rooms/{pin}", "device-token-of-nobody")["expiresAt"]
    minji.press("방 관리")
    day, time = minji.script("const at = new Date(arguments[0]); return [at.getDate() + '일', String(at.getMinutes()).padStart(2, '0') + '에 사라져요.']", at)
    minji.sees(day, time)
    minji.go("/r/999999999")
    # How long rooms last is the operator's to say.
    assert "하루" not in minji.text


def test_what_is_wrong_with_a_nickname_is_said(player):
    minji = player()
    minji.go()
    minji.fill("nickname", "민\u202e지").press("방 열기").sees("쓸 수 없는 문자가 있습니다")
    field = """
        const field = document.getElementById(arguments[0]);
        return [document.activeElement === field, field.getAttribute('aria-invalid'), document.getElementById(field.getAttribute('aria-describedby')).innerText];
    """
    assert minji.script(field, "nickname") == [True, "true", "쓸 수 없는 문자가 있습니다"]
    # At the field, and nowhere else.
    assert minji.script("return document.querySelector('#message').hidden")
    minji.fill("pin", "12").press("들어가기").sees("PIN은 숫자 여섯 자리예요")
    assert minji.script(field, "pin") == [True, "true", "PIN은 숫자 여섯 자리예요."]
    minji.fill("nickname", "민지").press("방 열기").sees("1명 중 0명이 답했어요")


def test_a_nickname_ends_after_twenty_characters_as_somebody_sees_them(player, server):
    minji = player()
    minji.go()
    minji.fill("nickname", "하나둘셋넷다섯여섯일곱여덟아홉열하나둘셋넷다섯여섯")
    assert minji.script("return document.getElementById('nickname').value") == "하나둘셋넷다섯여섯일곱여덟아홉열하나둘셋"
    family = "👨\u200d👩\u200d👧"
    minji.script("""
        const field = document.getElementById('nickname');
        field.value = arguments[0];
        field.dispatchEvent(new InputEvent('input'));
    """, family * 21)
    minji.press("방 열기").sees(family * 20)
