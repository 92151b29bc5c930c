"""That everybody can play: by keyboard alone, on a small screen, with a screen reader, in the dark, with less motion."""

from pathlib import Path

import axe_playwright_python
import pytest

from players import BACKSPACE, DESKTOP, DOWN, ENTER, LEFT, PHONE, RIGHT, SPACE, TAB
from screens import walk

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def faults(player):
    """What axe-core finds wrong with the screen."""
    player.script(AXE)
    player.look()
    found = player.driver.execute_async_script("const done = arguments[0]; axe.run().then((result) => done(result.violations))")
    return [f"{fault['id']}: {node['html'][:200]} {node['failureSummary'][:200]}" for fault in found for node in fault["nodes"]]


def too_wide(player, width):
    """What is cut off, or has to be scrolled sideways."""
    return player.script("""
        const [width] = arguments;
        const out = (node) => node.checkVisibility() && !node.closest('.unseen') && node.getBoundingClientRect().right > width + 0.5;
        const wide = [...document.querySelectorAll('body *')].filter(out).map((node) => node.outerHTML);
        return document.documentElement.scrollWidth > width ? ['the page', ...wide] : wide;
    """, width)


def too_small(player):
    """What is lower than a finger."""
    return player.script("""
        const low = (node) => node.checkVisibility() && node.getBoundingClientRect().height < 44;
        return [...document.querySelectorAll('button, a, summary, select, .chip span, input:not([type])')].filter(low).map((node) => node.outerHTML);
    """)


@pytest.mark.parametrize("dark, size, spoken", [
    # So it is at 200 % on a screen of 640, too.
    (False, (320, 568), "ko"), pytest.param(True, (320, 568), "en", marks=pytest.mark.long), pytest.param(True, PHONE, "ko", marks=pytest.mark.long),
    pytest.param(False, DESKTOP, "en", marks=pytest.mark.long)])
def test_every_screen_fits_and_axe_finds_nothing(player, server, dark, size, spoken):
    # What is on its way is not judged.
    minji = player(dark=dark, size=size, languages=spoken, calm=True)
    found = {name: faults(minji) + too_wide(minji, size[0]) + too_small(minji) for name in walk(minji, server, spoken)}
    assert len(found) > 18
    assert not {name: list for name, list in found.items() if list}


def test_axe_would_find_something(player):
    minji = player()
    minji.go()
    minji.script("document.querySelector('#pin').removeAttribute('id')")
    assert any(fault.startswith("label") for fault in faults(minji))


def focused(player):
    return player.script("""
        const node = document.activeElement;
        return node === document.body ? '' : (node.getAttribute('aria-label') ?? node.innerText).trim();
    """)


def tab_to(player, name):
    """Goes on with the tabulator until something that is called so has the focus."""
    for _ in range(40):
        player.keys(TAB)
        if name in focused(player):
            return player
    raise AssertionError(f"{name} cannot be reached")


def test_with_the_keyboard_alone(player):
    minji = player(size=DESKTOP)
    minji.go()
    tab_to(minji, "방 열기").keys(ENTER).sees("1명 중 0명이 답했어요")
    # Where the screen changes, its heading has the focus.
    assert focused(minji) == "1명 중 0명이 답했어요"
    tab_to(minji, "내 카드 고르기").keys(ENTER).sees("9장 중 1번째")
    minji.keys(RIGHT).sees("9장 중 2번째").keys(LEFT).sees("9장 중 3번째").keys(DOWN).sees("9장 중 4번째").keys(BACKSPACE).sees("9장 중 3번째")
    assert minji.script("return document.querySelector('[aria-pressed=true]').innerText.trim()") == "건너뛰기"
    minji.keys(RIGHT).sees("9장 중 4번째")
    # A button that stays keeps the focus.
    tab_to(minji, "좋아")
    for number in range(5, 9):
        minji.keys(ENTER).sees(f"9장 중 {number}번째")
    # It is gone here, and the focus is at the question.
    assert focused(minji) == "무엇이 끌리세요?"
    minji.keys(TAB, SPACE)
    tab_to(minji, "다음").keys(ENTER).sees("9장 중 9번째")
    tab_to(minji, "건너뛰기").keys(ENTER).sees("못 먹는 것이 있나요?")
    minji.until("return document.querySelector('#news').textContent.includes('못 먹는 것이 있나요?')", "the question to be read out")
    tab_to(minji, "보내기").keys(ENTER).sees("보냈어요")
    tab_to(minji, "결과 공개").keys(ENTER).sees("1순위")
    tab_to(minji, "다음 메뉴 보기").keys(ENTER).sees("2순위")
    assert focused(minji) == minji.menu
    tab_to(minji, "이걸로 결정").keys(ENTER).sees("이걸로 결정할까요?")
    # It would be no by itself.
    assert focused(minji) == "취소"
    minji.keys(TAB, ENTER).sees("오늘은 이거예요")


def test_a_key_that_is_held_down_answers_one_card(player):
    minji = player(size=DESKTOP)
    minji.go("/#solo")
    minji.sees("9장 중 1번째")

    def hold(key, code):
        for is_repeat in (False, True, True):
            minji.command("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, autoRepeat=is_repeat, text="\r" * (key == "Enter"))
        minji.command("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    step = lambda: minji.script("return document.querySelector('.count').textContent")
    hold("ArrowRight", 39)
    assert step() == "9장 중 2번째"
    hold("ArrowLeft", 37)
    assert step() == "9장 중 3번째"
    hold("Backspace", 8)
    assert step() == "9장 중 2번째"
    minji.script("document.querySelectorAll('.answer')[1].focus()")
    hold("Enter", 13)
    assert step() == "9장 중 3번째"


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_ticked_can_be_told_in_an_older_browser_and_in_forced_colours(player, dark):
    minji = player(dark=dark)
    minji.go("/#solo")
    minji.answer().press("해산물")
    sheet = minji.script("return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join()")
    assert "--accent" in sheet and "light-dark" not in sheet
    colours = minji.script("""
        return ['seafood', 'meat'].map((veto) => getComputedStyle(document.querySelector(`[value=${veto}] + span`)))
            .map((style) => [style.backgroundColor, style.color]);
    """)
    # Another background, and each text can be read on its own.
    assert colours[0][0] != colours[1][0] and all(back != text for back, text in colours)
    back = minji.script("return getComputedStyle(document.body).backgroundColor")
    assert back == ("rgb(23, 19, 14)" if dark else "rgb(253, 248, 240)")
    minji.command("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    ticked, other = minji.script("""
        return ['seafood', 'meat'].map((veto) => getComputedStyle(document.querySelector(`[value=${veto}] + span`)).backgroundColor);
    """)
    assert ticked != other


def test_a_swipe_answers_and_a_short_one_does_not(player):
    minji = player()
    minji.go("/#solo")
    minji.sees("9장 중 1번째")
    box = minji.script("const box = document.querySelector('.card').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]")

    def swipe(by):
        for step, kind in enumerate(["mousePressed"] + ["mouseMoved"] * 4 + ["mouseReleased"]):
            minji.command(
                "Input.dispatchMouseEvent", type=kind, x=box[0] + by * min(step, 4) / 4, y=box[1], button="left", buttons=1, clickCount=1)

    swipe(40)
    minji.sees("9장 중 1번째")
    swipe(150)
    minji.sees("9장 중 2번째")
    swipe(-150)
    minji.sees("9장 중 3번째")
    draft = minji.script("return JSON.parse(localStorage['draft:solo']).answers")
    assert draft == {"hangover": "like", "greasy": "dislike"}


def test_the_language_is_the_browsers_and_can_be_switched(player):
    jo = player(languages="en-GB,en;q=0.9,ko;q=0.5")
    jo.go("/#solo")
    jo.sees("1 of 9", "Rough night?")
    assert jo.script("return document.documentElement.lang") == "en"
    jo.press("Like").sees("2 of 9").press("한국어").sees("9장 중 2번째", "기름진")
    assert jo.script("return document.documentElement.lang") == "ko"
    jo.reload()
    jo.sees("9장 중 2번째")


def test_less_motion_is_no_motion(player):
    minji = player(calm=True)
    minji.go("/#solo")
    minji.sees("9장 중 1번째").tap("좋아").sees("9장 중 2번째")
    assert minji.script("return document.getAnimations().length") == 0
    lively = player()
    lively.go("/#solo")
    lively.sees("9장 중 1번째")
    assert lively.script("document.querySelector('.answers .answer:nth-child(3)').click(); return document.getAnimations().length") > 0


def test_what_happens_is_said(player):
    minji = player()
    minji.open_room()
    regions = minji.script("return ['news', 'stale', 'message'].map((id) => document.getElementById(id).getAttribute('role'))")
    assert regions == ["status", "status", "alert"]
