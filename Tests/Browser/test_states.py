"""What a screen says when the server, the network or the clock does something."""

import time

from server import PROJECT, Guest

LAST_KNOWN = "마지막으로 확인한 모습이에요"


def token_of(player):
    """Who this device is, for what its browser cannot do."""
    return player.script("return JSON.parse(localStorage.token)")


def test_a_server_that_is_killed_in_the_middle_loses_nothing_and_the_screen_stays(player, server):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준").submit()
    minji.sees("2명 중 1명이 답했어요").press("내 카드 고르기").sees("9장 중 1번째")
    server.kill()
    # The cards are on the device, and what is shown is what was known last.
    minji.answer().press("보내기").sees("연결할 수 없어요")
    jun.sees(LAST_KNOWN, "2명 중 1명이 답했어요", "보냈어요")
    server.start()
    minji.press("다시 시도").sees("2명 중 2명이 답했어요")
    jun.sees("2명 중 2명이 답했어요").does_not_see(LAST_KNOWN)
    minji.press("결과 공개").sees("1순위")
    jun.sees("1순위")


def test_offline_nothing_is_lost_and_online_it_goes_on(player, server):
    minji = player()
    pin = minji.open_room("민지")
    minji.press("내 카드 고르기").submit()
    guest = Guest(server, pin, "준")
    minji.sees("준").press("내 답")
    minji.network(False)
    # Shown at once, and taken back.
    was = "return document.querySelector('input[name=mine-spicy]:checked').value"
    assert minji.script(was) == "like"
    minji.script("document.querySelector('input[name=mine-spicy][value=dislike]').click()")
    minji.sees("연결할 수 없어요")
    assert minji.script(was) == "like"
    # Nobody is shown a result before there is one.
    minji.press("닫기", "결과 공개").confirm().sees("연결할 수 없어요", "2명 중 1명이 답했어요")
    guest.submit()
    minji.network(True)
    minji.sees("2명 중 2명이 답했어요").does_not_see(LAST_KNOWN)
    assert not minji.script("return document.querySelector('main section.result')")
    minji.press("결과 공개").sees("1순위")


def test_a_quiet_room_stays_the_present(player, server):
    minji = player()
    minji.open_room()
    came = "return performance.getEntriesByType('resource').filter((entry) => /rooms.[0-9]+$/.test(entry.name)).length"
    # Somebody asks before the last snapshot is ten seconds old.
    minji.until(came, "a second look")
    assert LAST_KNOWN not in minji.text


def test_without_a_stream_answers_are_held(player, server):
    minji = player()
    minji.command("Network.enable")
    minji.command("Network.setBlockedURLs", urls=["*/v1/rooms/*/events"])
    pin = minji.open_room("민지")
    held = "return performance.getEntriesByType('resource').some((entry) => entry.name.includes('wait='))"
    guest = Guest(server, pin, "준")
    minji.sees("2명 중 0명이 답했어요")
    guest.submit()
    minji.sees("2명 중 1명이 답했어요")
    Guest(server, pin, "소라")
    minji.sees("3명 중 1명이 답했어요")
    assert minji.until(held, "a held answer")


def test_a_held_answer_is_given_up_when_its_time_is_up_or_nobody_wants_it_any_more_in_every_browser(player):
    minji = player()
    # As in Safari before 17.4 and Firefox before 124.
    minji.command("Page.addScriptToEvaluateOnNewDocument", source="delete AbortSignal.any")
    path = f"/v1/rooms/{minji.open_room()}?after=99&wait=10"
    assert minji.script("return AbortSignal.any === undefined")
    for wait, abort in [(300, ""), (60_000, "setTimeout(() => work.abort(), 300);"), (60_000, "work.abort();")]:
        assert minji.module("api.js", f"""(() => {{
            const work = new AbortController();
            {abort}
            return m.send('GET', '{path}', {{ signal: work.signal, wait: {wait} }})
                .then(() => 'held to its end', (error) => error instanceof m.Unreachable);
        }})()""") is True


def test_a_deadline_that_reaches_zero_says_that_it_is_being_checked(player, server):
    minji, other = player(), player()
    other.go()
    body = {"deadlineAt": int(time.time() * 1000) + 4000, "revealWhen": {"deadline": True}}
    room = server.send("POST", "/v1/rooms", token_of(other), body)
    Guest(server, room["pin"]).submit()
    other.go(f"/r/{room['pin']}")
    other.sees("뒤 자동 공개")
    other.network(False)
    other.sees("결과를 확인하는 중", "2명 중 1명이 답했어요")
    assert not other.script("return document.querySelector('main section.result')")
    other.network(True)
    other.sees("1순위")
    # And who is there sees it by itself.
    minji.go(f"/r/{room['pin']}")
    minji.sees("1순위")


def test_a_deadline_without_answers_reveals_nothing(player, server):
    minji = player()
    minji.go()
    body = {"deadlineAt": int(time.time() * 1000) + 1500, "revealWhen": {"deadline": True}}
    room = server.send("POST", "/v1/rooms", token_of(minji), body)
    minji.go(f"/r/{room['pin']}")
    minji.sees("시간이 됐지만 아직 답이 없어요")
    # It says so until somebody has, and no more from the next round on.
    guest = Guest(server, room["pin"])
    guest.submit()
    minji.sees("2명 중 1명이 답했어요").does_not_see("시간이 됐지만")
    minji.press("결과 공개").confirm().sees("1순위").press("새로 한 판").confirm().sees("2명 중 0명이 답했어요").does_not_see("시간이 됐지만")


def test_a_room_that_was_left_to_its_deadline_is_the_hosts_afterwards(player, server):
    minji, jun = player(), player()
    minji.go()
    body = {"deadlineAt": int(time.time() * 1000) + 1500, "revealWhen": {"host": False, "deadline": True}}
    room = server.send("POST", "/v1/rooms", token_of(minji), body)
    minji.go(f"/r/{room['pin']}")
    minji.sees("시간이 됐지만 아직 답이 없어요", "결과 공개")
    jun.join(room["pin"]).submit().sees("방장이 결과를 공개해요")
    minji.sees("2명 중 1명이 답했어요").press("결과 공개").confirm().sees("1순위")
    jun.sees("1순위")


def test_a_room_that_opens_with_a_deadline_reveals_by_itself(player, server):
    minji = player()
    minji.go()
    minji.choose("deadline", "3")
    minji.press("방 열기").sees("뒤 자동 공개")
    room = server.send("GET", minji.script("return '/v1/rooms/' + location.pathname.slice(3)"), token_of(minji))
    assert room["revealWhen"]["deadline"] and room["revealWhen"]["host"]
    assert 170_000 < room["deadlineAt"] - room["createdAt"] <= 181_000


def test_a_later_round_reveals_by_itself_where_the_host_says_when(player, server):
    minji, jun = player(), player()
    minji.go()
    body = {"deadlineAt": int(time.time() * 1000) + 1500, "revealWhen": {"host": False, "deadline": True}}
    room = server.send("POST", "/v1/rooms", token_of(minji), body)
    path = f"/v1/rooms/{room['pin']}"
    server.send("PUT", f"{path}/submission", token_of(minji), {})
    minji.go(f"/r/{room['pin']}")
    minji.sees("1순위", "자동 공개")
    jun.go(f"/r/{room['pin']}")
    jun.sees("1순위").does_not_see("자동 공개")
    minji.choose("deadline", "3")
    minji.press("새로 한 판").confirm().sees("뒤 자동 공개")
    room = server.send("GET", path, token_of(minji))
    assert room["round"] == 2
    assert 170_000 < room["deadlineAt"] - room["serverTime"] <= 180_000


def test_a_room_that_was_asked_for_too_late_is_asked_for_anew(player):
    minji = player()
    minji.go()
    minji.script("""
        const [real, now] = [window.fetch, Date.now];
        window.posted = [];
        window.fetch = async (path, options) => {
            if (options?.method === 'POST') posted.push(JSON.parse(options.body).deadlineAt);
            return real(path, options);
        };
        const select = document.getElementById('deadline');
        select.value = '3';
        select.dispatchEvent(new Event('change'));
        // The wish is of ten minutes ago: nothing came back then.
        Date.now = () => now() - 600_000;
        window.later = () => { Date.now = now; };
    """)
    minji.network(False)
    minji.press("방 열기").sees("연결할 수 없어요").press("닫기")
    minji.script("later()")
    minji.network(True)
    # The server says that this is over; pressed once more it is another wish.
    minji.press("방 열기").sees("닫기")
    minji.press("방 열기").sees("뒤 자동 공개")
    asked = minji.script("return posted")
    assert asked[0] == asked[-2] < asked[-1]


def test_a_page_that_opens_offline_offers_another_try(player, server):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.go()
    jun.network(False)
    jun.script("history.replaceState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", f"/r/{pin}")
    jun.sees("연결할 수 없어요")
    jun.network(True)
    jun.sees("민지 님의 방")


def test_a_room_that_is_older_than_the_cards_is_played_with_its_own(player, server, tmp_path):
    minji, jun = player(), player()
    pin = minji.open_room()
    shipped = (PROJECT / "Resources/catalogue.json").read_text()
    other = tmp_path / "catalogue.json"
    other.write_text(shipped.replace('"meat"', '"flesh"').replace('"고기"', '"살코기"'))
    server.kill()
    server.start(other)
    try:
        # Who asks here knows the new cards already.
        jun.go("/#solo")
        jun.answer().sees("살코기")
        jun.join(pin).submit("고기")
        minji.press("내 카드 고르기").submit("고기")
        minji.press("결과 공개").sees("2명의 답으로 골랐어요", "1순위")
    finally:
        server.kill()
        server.start()


def test_a_reveal_that_got_no_answer_is_done_once(player, server):
    minji = player()
    pin = minji.open_room()
    minji.press("내 카드 고르기").submit()
    # The server does it, and the browser does not hear of it.
    minji.script("""
        const real = window.fetch;
        window.keys = [];
        window.fetch = async (path, options) => {
            if (options?.method !== 'POST') return real(path, options);
            keys.push(options.headers['Idempotency-Key']);
            const answer = await real(path, options);
            if (keys.length < 3) throw new TypeError('lost');
            return answer;
        };
    """)
    minji.press("결과 공개").sees("1순위")
    keys = minji.until("return keys.length >= 3 && keys", "two repeats")
    assert len(set(keys)) == 1
    assert server.send("GET", f"/v1/rooms/{pin}", token_of(minji))["round"] == 1


def test_nothing_moves_by_itself(player):
    minji, jun = player(), player()
    pin = minji.open_room()
    for path, text in [("/", "오늘 뭐 먹지?"), ("/#solo", "9장 중 1번째"), (f"/r/{pin}", "들어가서 카드 고르기")]:
        jun.go(path)
        # The address is another, and the page as well.
        jun.reload()
        jun.sees(text)
        assert jun.script("return shift") < 0.01, path
    minji.reload()
    minji.sees("1명 중 0명이 답했어요").until("return document.querySelector('.qr').naturalWidth", "the code")
    assert minji.script("return shift") < 0.01
