"""What a group runs into: somebody is late, somebody is gone, somebody has tapped too soon."""

import pytest

from players import DESKTOP, RIGHT
from server import Guest

QUESTION = "return document.querySelector('dialog[open]')"


def badge(player):
    """Who is marked as the one who looks."""
    return player.script("""
        return [...document.querySelectorAll('.people li')].filter((entry) => entry.querySelector('.me').checkVisibility())
            .map((entry) => entry.querySelector('.who').textContent);
    """)


def test_nobody_is_left_out_unasked_and_who_was_is_told_so(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준").answer().press("고기")
    minji.sees("준").press("내 카드 고르기").submit().press("결과 공개").sees("아직 1명이 답하지 않았어요. 못 먹는 것도 반영되지 않아요.")
    minji.press("취소")
    assert not minji.script("return document.querySelector('section.result')")
    minji.press("결과 공개").confirm().sees("1순위").does_not_see("반영되지 않았어요")
    jun.sees("1순위", "내 답과 못 먹는 것은 반영되지 않았어요. 고르던 답은 다음 판까지 남아 있어요.")
    minji.press("새로 한 판").confirm()
    # Nothing has to be answered twice.
    jun.sees("못 먹는 것이 있나요?").press("뒤로").sees("9장 중 9번째").press("다음", "보내기").sees("보냈어요. 모두를 기다리는 중이에요.")
    minji.press("내 카드 고르기").submit()
    # Who has everybody's answers waits for nobody.
    jun.does_not_see("기다리는 중이에요").press("결과 공개").sees("1순위").does_not_see("반영되지 않았어요")
    minji.sees("1순위")


def test_a_link_that_was_copied_with_a_slash_at_its_end_leads_into_the_room(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.go(f"/r/{pin}/")
    jun.sees("민지 님의 방").press("들어가서 카드 고르기").sees("9장 중 1번째")
    minji.sees("2명 중 0명이 답했어요")


def test_one_tap_takes_nothing_from_anybody(player, server):
    minji = player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").submit().press("결과 공개").sees("1순위")
    for button in ("이걸로 결정", "새로 한 판"):
        minji.press(button).until(QUESTION, "a question")
        minji.press("취소").sees("1순위")
    room = server.send("GET", f"/v1/rooms/{pin}", "device-token-of-nobody")
    assert (room["phase"], room["round"]) == ("revealed", 1)


def test_a_question_goes_with_the_screen_that_it_was_asked_on(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준")
    jun.submit()
    minji.sees("준").press("결과 공개").until(QUESTION, "a question")
    jun.press("결과 공개").confirm().sees("1순위")
    minji.sees("1순위")
    assert not minji.script(QUESTION)


def test_a_group_whose_host_is_gone_reveals_without_them(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").submit()
    jun.join(pin, "준").submit()
    minji.script("location.replace('about:blank')")
    jun.sees("모두 답했어요. 공개해 볼까요?").press("결과 공개").sees("1순위")


@pytest.mark.parametrize("who", [None, "host"])
def test_the_reveal_is_the_hosts_unless_they_say_otherwise(player, server, who):
    minji, jun = player(), player()
    pin = minji.open_room("민지", who=who)
    assert not server.send("GET", f"/v1/rooms/{pin}", "device-token-of-nobody")["revealWhen"]["anyMember"]
    jun.join(pin, "준").submit().sees("방장이 결과를 공개해요")
    assert not jun.can_press("결과 공개")


def test_who_one_is_can_be_seen_and_changed(player, server):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    assert badge(minji) == ["민지"]
    jun.join(pin, "준").press("뒤로").sees("내 카드 고르기")
    assert badge(jun) == ["준"]
    jun.press("방 관리").fill("own-nickname", "준호").press("바꾸기").sees("바꿨어요")
    minji.sees("준호")
    jun.until("return document.querySelector('.people').innerText.includes('준호')", "the other name")
    assert badge(jun) == ["준호"]
    # Another of that name: it could be either.
    other = Guest(server, pin, "준호")
    jun.sees("3명 중 0명이 답했어요")
    assert badge(jun) == []
    other.send("DELETE", "/members/me")
    jun.sees("2명 중 0명이 답했어요")
    assert badge(jun) == ["준호"]
    # What is wrong with it stands at the field.
    jun.fill("own-nickname", "준\u202e호").press("바꾸기").sees("쓸 수 없는 문자가 있습니다")
    assert jun.script("return document.activeElement.id") == "own-nickname"
    # The host is known by that, with no name at all.
    minji.press("방 관리").fill("own-nickname", "").press("바꾸기").sees("손님 1")
    assert badge(minji) == ["손님 1"]
    jun.press("방 나가기").confirm()
    Guest(server, pin, "준호")
    # A name from before is no proof of who one is now.
    jun.join(pin, "소라").press("뒤로").sees("3명 중 0명이 답했어요")
    assert badge(jun) == ["소라"]


def test_who_is_host_no_more_is_still_known(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준").press("뒤로").sees("내 카드 고르기")
    minji.sees("준").press("방 관리", "준 님 방장 넘기기").confirm()
    jun.sees("방 관리").press("방 관리").sees("방 닫기")
    minji.does_not_see("방 닫기")
    assert (badge(minji), badge(jun)) == (["민지"], ["준"])
    # Where it is not known whether a name has been taken, nobody is marked.
    minji.network(False)
    minji.fill("own-nickname", "소라").press("바꾸기").sees("연결할 수 없어요")
    assert badge(minji) == []
    minji.network(True)


def test_what_a_veto_means_is_seen_and_described(player):
    hint = "생선, 조개, 오징어, 어묵과 그 육수"
    minji = player(size=DESKTOP)
    minji.open_room()
    minji.press("내 카드 고르기").answer().sees(hint)

    def boxes():
        tree = minji.command("Accessibility.getFullAXTree")["nodes"]
        return {node["name"]["value"]: node.get("description", {}).get("value") for node in tree if node.get("role", {}).get("value") == "checkbox"}

    assert len(boxes()) == 5
    assert boxes()["해산물"] == hint
    minji.press("해산물", "보내기").press("내 답").sees(hint)
    assert boxes()["해산물"] == hint


def test_who_comes_after_the_reveal_joins_for_the_next_round(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").submit().press("결과 공개").sees("1순위")
    jun.go(f"/r/{pin}")
    jun.sees("1순위").fill("nickname", "준").press("다음 판에 함께하기").sees("다음 판에 함께해요.")
    jun.until("return document.activeElement.textContent === '방 관리'", "the focus where it can go on")
    assert not jun.can_press("다음 판에 함께하기")
    minji.press("새로 한 판").confirm().sees("2명 중 0명이 답했어요", "준")
    jun.press("내 카드 고르기").submit()
    minji.sees("2명 중 1명이 답했어요")


def test_who_was_removed_is_not_asked_in_for_the_next_round(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준").submit()
    minji.sees("2명 중 1명이 답했어요").press("방 관리", "준 님 내보내기").confirm()
    minji.press("내 카드 고르기").submit().press("결과 공개").sees("1순위")
    jun.press("다음 판에 함께하기").sees("이 방에는 다시 들어올 수 없어요").press("새로 시작하기").sees("오늘 뭐 먹지?")


def test_another_language_leaves_what_was_filled_in(player):
    minji = player()
    minji.go()
    minji.fill("nickname", "하늘").fill("pin", "123456").choose("who", "host").choose("deadline", "5").press("English").sees("What shall we eat?")
    assert minji.script("return ['nickname', 'pin', 'who', 'deadline'].map((id) => document.getElementById(id).value)") == ["하늘", "123456", "host", "5"]
    assert minji.script("return document.activeElement.id") == "language"


def test_a_double_tap_answers_one_card(player):
    minji = player()
    minji.go("/#solo")
    minji.sees("9장 중 1번째").until("return getComputedStyle(document.querySelector('.answer')).pointerEvents !== 'none'", "the card to take a tap")
    # However slow the machine, no time goes by between the two.
    minji.script("""
        window.later = [];
        window.real = setTimeout;
        window.setTimeout = (work) => later.push(work);
    """)
    x, y = minji.script("""
        const box = document.querySelector('.answer:nth-child(3)').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    """)

    def tap():
        for kind in ("mousePressed", "mouseReleased"):
            minji.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    tap()
    tap()
    minji.sees("9장 중 2번째").keys(RIGHT).sees("9장 중 3번째")
    minji.script("later.forEach((work) => work()); window.setTimeout = real; return 0")
    tap()
    minji.sees("9장 중 4번째")


@pytest.mark.parametrize("spoken, see, skip", [
    ("ko", "결과 보기", "건너뛰기"), pytest.param("en", "Show the result", "Skip", marks=pytest.mark.long)])
def test_on_a_small_screen_the_main_button_is_seen_on_every_card(player, spoken, see, skip):
    minji = player(size=(320, 568), languages=spoken)
    minji.go("/#solo")
    seen = """
        const button = [...document.querySelectorAll('.answers button')].filter((node) => node.checkVisibility()).at(-1);
        const { top, bottom } = button.getBoundingClientRect();
        const front = document.elementFromPoint(innerWidth / 2, bottom - 2);
        return top >= 0 && bottom <= innerHeight && button.parentElement.contains(front);
    """
    for number in range(1, 10):
        minji.sees(f"9장 중 {number}번째" if spoken == "ko" else f"{number} of 9")
        minji.until(seen, f"the button of card {number}")
        minji.tap(skip)
    minji.until("return document.querySelector('.chip small')", "the vetoes")
    minji.until(seen, "the button to send")
    minji.press(see)
    minji.until("return document.querySelector('section.result .menu')", "the result")
