"""What the client goes by, without a screen."""

import json

import pytest

from players import Player

ROOM = {
    "id": "r_1", "pin": "004217", "round": 1, "phase": "open", "sequence": 7, "serverTime": 1000, "staleAt": 11000, "deadlineAt": None,
    "revealWhen": {"host": True, "anyMember": False, "deadline": False, "submissions": None}, "memberCount": 1, "submissionCount": 0,
    "members": [{"id": "m_1", "nickname": "민지", "isHost": True, "hasSubmitted": False}],
    "isHost": False, "isMember": True, "hasSubmitted": False}


def room(**other):
    return json.dumps(ROOM | other)


@pytest.fixture(scope="module")
def page(browser, server):
    page = Player(browser, server.url)
    page.go()
    yield page
    page.close()


@pytest.mark.parametrize("other, is_taken", [
    ({"sequence": 8}, True),
    ({"sequence": 8, "serverTime": 1}, True),
    ({"serverTime": 1001}, True),
    ({}, False),
    ({"serverTime": 999}, False),
    ({"sequence": 6, "serverTime": 9000}, False),
    ({"id": "r_2", "sequence": 99, "serverTime": 9000}, False),
    ({"round": 2, "sequence": 6}, False),
    ({"sequence": 6, "phase": "revealed"}, False),
])
def test_a_snapshot_takes_the_place_of_an_older_one_of_the_same_room(page, other, is_taken):
    assert page.module("room.js", f"m.supersedes({room(**other)}, {room()})") == is_taken
    assert page.module("room.js", f"m.supersedes({room(**other)}, null)")


def test_a_rejected_snapshot_changes_nothing_not_even_when_it_was_looked_at(page):
    facts = page.module("session.js", f"""(() => {{
        const session = new m.Session('999999');
        session.stop();
        let told = 0;
        session.addEventListener('change', () => {{ told += 1; }});
        session.offer({room()});
        const before = [session.room, told];
        const wait = performance.now() + 30;
        while (performance.now() < wait);
        const elapsed = session.elapsed;
        for (const old of [{room()}, {room(sequence=6, serverTime=9999, phase='revealed')}, {room(id='r_2', sequence=99)}]) session.offer(old);
        const same = session.room === before[0] && told === before[1] && session.elapsed >= elapsed;
        session.stop();
        return [same, told];
    }})()""")
    assert facts == [True, 1]


def test_nothing_is_asked_about_a_room_that_somebody_has_left(page):
    assert page.module("session.js", f"""(() => {{
        const session = new m.Session('999999');
        session.stop();
        const real = window.setTimeout;
        let timers = 0;
        window.setTimeout = () => {{ timers += 1; }};
        // An answer that was on its way.
        session.offer({room()});
        window.setTimeout = real;
        return timers;
    }})()""") == 0


@pytest.mark.parametrize("other, step, screen", [
    ({}, "", "lobby"), ({}, "play", "play"), ({"isMember": False}, "play", "join"), ({"hasSubmitted": True}, "play", "lobby"),
    ({"phase": "revealed"}, "play", "result"), ({"phase": "decided", "isMember": False}, "", "result"),
])
def test_the_room_says_which_screen_it_is(page, other, step, screen):
    assert page.module("room.js", f"m.screenOf({room(**other)}, '{step}')") == screen


@pytest.mark.parametrize("other, elapsed, left", [
    ({}, 0, None), ({"deadlineAt": 5000}, 0, 4000), ({"deadlineAt": 5000}, 3999, 1), ({"deadlineAt": 5000}, 4000, "checking"),
    ({"deadlineAt": 5000}, 99_000, "checking"), ({"deadlineAt": 5000, "serverTime": 5000}, 0, "passed"),
    ({"deadlineAt": 5000, "serverTime": 4999}, 1, "checking"),
    # Somebody answered late.
    ({"deadlineAt": 5000, "serverTime": 5000, "submissionCount": 1}, 0, None),
    ({"deadlineAt": 5000, "serverTime": 5000, "round": 2}, 0, "passed"), ({"deadlineAt": 5000, "round": 2}, 0, 4000),
    ({"deadlineAt": 5000, "phase": "revealed"}, 99_000, None),
])
def test_a_deadline_that_is_over_proves_nothing(page, other, elapsed, left):
    text = room(**{"revealWhen": ROOM["revealWhen"] | {"deadline": "deadlineAt" in other}}, **other)
    assert page.module("room.js", f"m.deadline({text}, {elapsed})") == left


HOST, MEMBER = {"isHost": True}, {"isHost": False}


@pytest.mark.parametrize("who, policy, deadline, may", [
    (HOST, {}, None, True), (MEMBER, {}, None, False), (MEMBER | {"isMember": False}, {}, None, False),
    (MEMBER, {"anyMember": True}, None, True), (HOST, {"host": False, "anyMember": True}, None, True),
    (MEMBER | {"isMember": False}, {"anyMember": True}, None, False),
    (HOST, {"host": False}, None, False), (HOST, {"host": False, "submissions": 2}, None, False),
    # Left to a deadline: until it is over nobody, and from then on the host, or nobody could any more.
    (HOST, {"host": False, "deadline": True}, 1001, False), (HOST, {"host": False, "deadline": True}, 1000, True),
    (HOST, {"host": False, "deadline": True}, 999, True), (HOST, {"host": False, "deadline": True}, None, True), (MEMBER, {"host": False, "deadline": True}, 999, False),
    (HOST, {"host": False, "submissions": 2}, 999, False), (HOST, {"deadline": True}, 1001, True),
])
def test_who_may_reveal_is_who_the_server_lets(page, who, policy, deadline, may):
    text = room(**who, revealWhen=ROOM["revealWhen"] | policy, deadlineAt=deadline)
    assert page.module("room.js", f"m.mayReveal({text})") == may


def test_news_are_what_is_different(page):
    jun = {"id": "m_2", "nickname": "준", "isHost": False, "hasSubmitted": False}
    for other, news in [
        ({}, []), ({"members": ROOM["members"] + [jun]}, ["came"]), ({"members": []}, ["went"]), ({"submissionCount": 1}, ["answered"]),
        ({"phase": "revealed", "submissionCount": 1}, ["revealed"]), ({"phase": "decided"}, ["decided"]), ({"isHost": True}, ["host"]),
        ({"round": 2, "members": []}, ["round"]),
    ]:
        assert page.module("room.js", f"m.news({room()}, {room(**other)}).map(([kind]) => kind)") == news
    assert page.module("room.js", f"m.news(null, {room()})") == []


@pytest.mark.parametrize("text, pin", [
    ("004217", "004217"), (" 004 217 ", "004217"), ("004-217", "004217"), ("PIN: 004217", "004217"), ("００４２１７", "004217"),
    ("http://127.0.0.1:8080/r/004217", "004217"), ("http://127.0.0.1:8080/r/004217/", "004217"), ("골라요. PIN 004217\\nhttps://lunch.example:8443/r/004217", "004217"),
    ("0042171", "0042171"), ("00421", None), ("", None), ("0123456789", None), ("lunch", None),
])
def test_a_pin_is_found_in_what_was_typed_or_pasted(page, text, pin):
    assert page.module("room.js", f"m.pinIn('{text}')") == pin


def test_events_come_whole_however_they_are_cut(page):
    stream = ': hello\\nretry: 2000\\n\\nevent: room\\r\\nid: 7\\r\\ndata: {"a":\\r\\ndata:1}\\r\\n\\r\\n:\\n\\ndata: 한상\\n\\n'
    assert page.module("events.js", f"""(() => {{
        const stream = '{stream}';
        const whole = JSON.stringify(new m.EventReader().push(stream));
        for (let cut = 0; cut <= stream.length; cut += 1) {{
            const reader = new m.EventReader();
            const events = [...reader.push(stream.slice(0, cut)), ...reader.push(stream.slice(cut))];
            if (JSON.stringify(events) !== whole) return `cut at ${{cut}}: ${{JSON.stringify(events)}}`;
        }}
        return whole;
    }})()""") == json.dumps([
        {"event": "room", "data": "{\"a\":\n1}"}, {"event": "message", "data": "한상"}],
        ensure_ascii=False, separators=(",", ":"))


def test_none_of_these_stands_alone(page):
    card = "{none: {id: 'none'}}"
    for options, pick, is_on, left in [
        ("['rice']", "none", "true", ["none"]), ("['none']", "rice", "true", ["rice"]), ("['rice','soup']", "rice", "false", ["soup"]),
        ("['none']", "none", "false", []), ("['rice']", "rice", "true", ["rice"]),
    ]:
        assert page.module("game.js", f"m.picked({card}, {options}, '{pick}', {is_on})") == left


@pytest.mark.parametrize("broken", ["setItem", "getItem setItem removeItem"])
def test_what_the_browser_does_not_keep_lasts_as_long_as_the_page(page, broken):
    # One token for each request would be another person for each.
    assert page.module("device.js", f"""(() => {{
        const kept = Object.getOwnPropertyDescriptors(Storage.prototype);
        m.remember('mood', 'before');
        localStorage.removeItem('token');
        const names = '{broken}'.split(' ');
        for (const name of names) Storage.prototype[name] = () => {{ throw new DOMException('full', 'QuotaExceededError'); }};
        const tokens = [m.token(), m.token()];
        m.remember('mood', 'now');
        const mood = m.recall('mood');
        m.forget('mood');
        const gone = m.recall('mood');
        for (const name of names) Object.defineProperty(Storage.prototype, name, kept[name]);
        m.remember('mood', 'after');
        const after = m.recall('mood');
        m.forget('mood');
        return [tokens[0] === tokens[1] && tokens[0].length === 64, mood, gone, after, m.recall('mood')];
    }})()""") == [True, "now", None, "after", None]


def test_both_languages_say_the_same_things(page):
    pairs = page.module("texts.js", "Object.values(m.texts).map((text) => typeof text === 'function' ? text(2, 3, 'x') : text)")
    assert len(pairs) > 50
    assert all(len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in pairs)


def test_nobody_is_promised_that_the_others_cannot_work_it_out(page):
    texts = page.module("texts.js", "m.texts.vetoesAbout")
    assert "결과에 나오지 않아요" in texts[0] and "아무도" not in texts[0]
    assert "The result does not say" in texts[1] and "Nobody" not in texts[1]


@pytest.mark.parametrize("seconds, ko, en", [
    (1, "1초 뒤에", "in 1 second."), (20, "20초 뒤에", "in 20 seconds."), (90, "90초 뒤에", "in 90 seconds."), (91, "2분 뒤에", "in 2 minutes."),
    (5400, "90분 뒤에", "in 90 minutes."), (5401, "2시간 뒤에", "in 2 hours."), (86400, "24시간 뒤에", "in 24 hours."),
])
def test_how_long_to_wait_is_said_in_a_unit_that_suits(page, seconds, ko, en):
    texts = page.module("texts.js", f"m.texts.wait({seconds})")
    assert texts == [f"{ko} 다시 해 주세요.", f"Try again {en}"]


def test_how_long_to_wait_is_said_once(page):
    def said(problem):
        return page.module("messages.js", f"m.problemText({json.dumps({'errors': []} | problem)})")

    soon = "지금은 저장할 수 없습니다. 잠시 후 다시 시도해 주세요."
    assert said({"code": "store-unavailable", "message": soon, "retryAfter": 1}) == soon
    assert said({"code": "too-many-attempts", "message": "Retry-After", "retryAfter": 86400}) == "요청이 너무 많아요. 24시간 뒤에 다시 해 주세요."


def test_what_speaks_for_a_menu_is_a_label_and_a_count(page):
    assert page.module("texts.js", "[m.texts.supporters(3, 3, '빠르게')[0], m.texts.supporters(3, 3, 'quick')[1]]") == [
        "빠르게 · 3명 중 3명", "quick · 3 of 3"]
