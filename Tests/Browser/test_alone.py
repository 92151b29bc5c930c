"""Playing alone."""

import re

from server import PROJECT


def test_alone_nothing_is_stored_and_no_room_is_used_up(player):
    sora = player()
    sora.go("/#solo")
    sora.script("""
        const real = window.fetch;
        window.posted = [];
        window.fetch = (path, options) => {
            if (options?.method === 'POST') posted.push([path, 'Idempotency-Key' in options.headers]);
            return real(path, options);
        };
    """)
    sora.answer().press("결과 보기").sees("1순위")
    # A key has the server keep the answer, and count it among the rooms that an address opens.
    assert sora.script("return posted") == [["/v1/solo", False]]


def test_a_result_speaks_one_language_also_when_another_is_chosen(player):
    sora = player()
    sora.go("/#solo")
    sora.answer().press("결과 보기").sees("1순위").press("다음 메뉴 보기").sees("2순위")
    before = sora.script("return [document.querySelector('.menu').innerText, document.querySelector('.menu img').src]")
    sora.press("English").sees("No. 2", "Today’s table")
    # The same menu, as it is called there, and no word of the other language.
    assert sora.script("return document.querySelector('.menu img').src") == before[1]
    assert not re.search("[가-힣]", sora.script("return document.querySelector('main').innerText"))
    assert sora.menu
    sora.press("한국어").sees("2순위")
    assert sora.script("return [document.querySelector('.menu').innerText, document.querySelector('.menu img').src]") == before


def test_cards_that_were_replaced_while_the_page_was_open_are_asked_for_again(player, server, tmp_path):
    sora, jun = player(), player()
    sora.go("/#solo")
    sora.answer().press("고기")
    jun.go("/#solo")
    jun.answer().press("고기", "결과 보기").sees("1순위").press("한상").sees("오늘 뭐 먹지?")
    shipped = (PROJECT / "Resources/catalogue.json").read_text()
    other = tmp_path / "catalogue.json"
    other.write_text(shipped.replace('"meat"', '"flesh"').replace('"고기"', '"살코기"').replace('"greasy"', '"fatty"'))
    server.kill()
    server.start(other)
    try:
        sora.press("결과 보기").sees("그사이 카드가 바뀌었어요", "9장 중 2번째")
        # What was answered to the others is there, and what cannot be eaten is not passed over.
        assert sora.script("return JSON.parse(localStorage['draft:solo']).answers.hangover") == "like"
        sora.tap("별로")
        for number in range(3, 10):
            sora.sees(f"9장 중 {number}번째").tap("좋아" if number < 8 else "다음")
        sora.sees("살코기").press("살코기", "결과 보기").sees("1순위", "살코기")
        jun.press("아무거나").until("return document.querySelector('.drawn:not([hidden]) .name')?.textContent", "a menu")
    finally:
        server.kill()
        server.start()
