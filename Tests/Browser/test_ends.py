"""The end of a room, and a server that has had enough of being asked."""

# Answers for the server from now on: a stream that `tell` writes to, or what `refuse` says. All that is asked for is kept.
STAND_IN = """
    const real = window.fetch;
    const headers = {'Content-Type': 'application/problem+json', 'Retry-After': '600'};
    const problem = JSON.stringify({status: 429, code: 'too-many-attempts', detail: 'Retry-After'});
    window.asked = [];
    window.refuses = false;
    window.fetch = async (path, options) => {
        if (!path.startsWith('/v1/rooms')) return real(path, options);
        asked.push(path);
        if (refuses) return new Response(problem, {status: 429, headers});
        if (!path.endsWith('/events')) return real(path, options);
        const pipe = new TransformStream();
        const writer = pipe.writable.getWriter();
        window.tell = (text) => writer.write(new TextEncoder().encode(text));
        return new Response(pipe.readable, {headers: {'Content-Type': 'text/event-stream'}});
    };
"""
TRY_AGAIN = "요청이 너무 많아요. 10분 뒤에 다시 해 주세요."


def stand_in(player, before=""):
    player.command("Page.addScriptToEvaluateOnNewDocument", source=STAND_IN + before)


def test_a_room_that_is_said_to_be_over_is_over_and_is_not_asked_for_again(player, server):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    stand_in(jun)
    jun.go("/")
    jun.fill("pin", pin).press("들어가기").sees("민지 님의 방")
    jun.until("return typeof window.tell === 'function'", "the stream")
    jun.script("asked.length = 0; tell('event: end\\ndata: {}\\n\\n')")
    jun.sees("방이 끝났어요")
    # Whatever wakes a client that still hopes for the room.
    jun.script("for (const name of ['online', 'offline', 'online']) dispatchEvent(new Event(name))")
    jun.script("document.dispatchEvent(new Event('visibilitychange'))")
    jun.press("English").sees("The room is over")
    assert jun.script("return asked") == []


def test_who_closes_a_room_and_who_is_in_it_see_that_it_is_over(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준")
    minji.sees("준").press("방 관리", "방 닫기")
    jun.script("""
        const real = window.fetch;
        window.asked = [];
        window.fetch = (path, options) => {
            asked.push(path);
            return real(path, options);
        };
    """)
    minji.confirm()
    minji.sees("오늘 뭐 먹지?")
    jun.sees("방이 끝났어요", "방장이 닫았거나")
    assert not jun.can_press("다시 시도")
    # The stream has said so, and was not opened once more.
    assert not [path for path in jun.script("return asked") if path.endswith("/events")]


def test_a_server_that_has_had_enough_is_not_taken_for_a_network_that_is_gone(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    stand_in(jun, "refuses = true;")
    jun.go(f"/r/{pin}")
    jun.sees("지금은 안 돼요", TRY_AGAIN).does_not_see("연결할 수 없어요")
    # It is no answer for good. Held answers are tried, too, and then it waits for as long as it was told to.
    jun.until("return asked.some((path) => !path.endsWith('/events'))", "another try")
    jun.script("refuses = false; return 0")
    jun.press("다시 시도").sees("민지 님의 방")
    # With a room on the screen it stays there, and what the server says stands beside "last known".
    jun.script("""
        const now = performance.now.bind(performance);
        performance.now = () => now() + 20_000;
        refuses = true;
        document.dispatchEvent(new Event('visibilitychange'));
    """)
    jun.sees("마지막으로 확인한 모습이에요. " + TRY_AGAIN, "민지 님의 방")
    jun.script("refuses = false; document.dispatchEvent(new Event('visibilitychange')); return 0")
    jun.does_not_see("마지막으로 확인한")
