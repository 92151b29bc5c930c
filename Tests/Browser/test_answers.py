"""What somebody has sent, and changes in the waiting room."""

from players import eventually

# Holds every change back until it is let go, and has those fail that are said to.
HOLD = """
    const real = window.fetch;
    window.held = [];
    window.sent = [];
    window.fetch = async (path, options) => {
        if (options?.method !== 'PATCH') return real(path, options);
        sent.push(options.body);
        const isLost = await new Promise((resolve) => { held.push(resolve); });
        if (isLost) throw new TypeError('lost');
        return real(path, options);
    };
"""


def sent(server, player):
    """What the server has of this player."""
    token = player.script("return JSON.parse(localStorage.token)")
    return server.send("GET", player.script("return `/v1/rooms/${location.pathname.slice(3)}/submission`"), token)


def choose(player, card, value):
    player.script("document.querySelector(`input[name=mine-${arguments[0]}][value=${arguments[1]}]`).click()", card, value)


def chosen(player, card):
    return player.script("return document.querySelector(`input[name=mine-${arguments[0]}]:checked`).value", card)


def let_go(player, number, is_lost=False):
    """Lets the change of that number, from zero, go to the server, once it is there."""
    player.until("return held.length > arguments[0]", f"change {number}", number)
    player.script("held[arguments[0]](arguments[1])", number, is_lost)


def waiting(player):
    """A player who has sent likes, and looks at them."""
    player.open_room()
    player.press("내 카드 고르기").submit().press("내 답")
    player.script(HOLD)
    return player


def test_taps_that_come_faster_than_the_answers_are_all_taken(player, server):
    minji = waiting(player())
    choose(minji, "spicy", "dislike")
    choose(minji, "greasy", "skip")
    choose(minji, "spicy", "skip")
    for number in range(3):
        # Shown at once, and nothing is shown otherwise meanwhile.
        assert (chosen(minji, "spicy"), chosen(minji, "greasy")) == ("skip", "skip")
        let_go(minji, number)
    answers = eventually(lambda: (now := sent(server, minji)["answers"])["spicy"] == "skip" and now)
    assert answers["greasy"] == "skip"
    assert minji.script("return document.querySelector('#message').hidden")
    assert (chosen(minji, "spicy"), chosen(minji, "greasy")) == ("skip", "skip")


def test_a_change_that_is_lost_takes_no_other_with_it(player, server):
    minji = waiting(player())
    choose(minji, "spicy", "dislike")
    choose(minji, "greasy", "dislike")
    let_go(minji, 0, is_lost=True)
    minji.sees("연결할 수 없어요")
    assert (chosen(minji, "spicy"), chosen(minji, "greasy")) == ("like", "dislike")
    let_go(minji, 1)
    eventually(lambda: sent(server, minji)["answers"]["greasy"] == "dislike")
    assert sent(server, minji)["answers"]["spicy"] == "like"
    assert (chosen(minji, "spicy"), chosen(minji, "greasy")) == ("like", "dislike")


def test_a_change_that_another_tab_was_faster_with_gives_way_to_what_there_is(player, server):
    minji = waiting(player())
    path = minji.script("return `/v1/rooms/${location.pathname.slice(3)}/submission`")
    server.send("PATCH", path, minji.script("return JSON.parse(localStorage.token)"), {"answers": {"greasy": "dislike"}})
    choose(minji, "spicy", "dislike")
    let_go(minji, 0)
    minji.until("return document.querySelector('input[name=mine-greasy]:checked').value === 'dislike'", "what the other tab has sent")
    assert chosen(minji, "spicy") == "like"
    # With what there is, it can be changed again.
    choose(minji, "spicy", "dislike")
    let_go(minji, 1)
    eventually(lambda: sent(server, minji)["answers"]["spicy"] == "dislike")


def test_what_cannot_be_eaten_is_seen_and_corrected(player, server):
    minji = player()
    minji.open_room()
    minji.press("내 카드 고르기").submit("해산물").press("내 답")
    vetoes = "return [...document.querySelectorAll('details .chip input:checked')].map((box) => box.value).slice(-arguments[0])"
    assert minji.script(vetoes, 1) == ["seafood"]
    minji.press("고기")
    eventually(lambda: sorted(sent(server, minji)["vetoes"]) == ["meat", "seafood"])
    minji.press("해산물")
    eventually(lambda: sent(server, minji)["vetoes"] == ["meat"])
    assert sent(server, minji)["answers"]["spicy"] == "like"
    # The device asks for it once, and knows the correction.
    minji.press("처음부터 다시 고르기").sees("9장 중 1번째").answer().press("보내기").sees("보냈어요")
    assert sent(server, minji)["vetoes"] == ["meat"]
