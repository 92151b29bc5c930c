"""Playing alone."""


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
