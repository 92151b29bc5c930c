"""What somebody else has typed is text."""

from server import Guest

# Each at most twenty characters, as nicknames are.
SEEDS = [
    "<img onerror>", "<img src=x onerror=1", "<script>x</script>", "<svg/onload=x()>", "<b>굵게</b>", "</script><p>", "<iframe src=//x>",
    "\"><img src=x>", "'><b>x</b>", "javascript:alert(1)", "&lt;b&gt;", "&amp;#60;", "${alert(1)}", "{{7*7}}", "<!-- x", "--><b>", "]]>",
    "<style>*{}</style>", "<a href=//x>x</a>", "<base href=//x>", "<form action=//x>", "<math><mi>", "<body onload=x>", "`<b>`", "\\u003cb\\u003e",
    "%3Cb%3E", "<IMG/ONERROR=x>", "＜img＞", "<details open>", "🍚<b>🍚", "__proto__", "constructor", "null", "[object Object]",
]
PAYLOADS = list(dict.fromkeys(SEEDS + [f"{seed}{end}"[:20].strip() for seed in SEEDS for end in ("1", " ?", "<i>")]))[:101]


def test_a_hundred_nicknames_stay_text(player, server):
    assert len(PAYLOADS) == 101
    minji = player()
    pin = minji.open_room(PAYLOADS[0])
    # Who joins is announced, too.
    for payload in PAYLOADS[1:]:
        Guest(server, pin, payload)
    minji.sees("101명 중 0명이 답했어요")
    assert minji.script("return [...document.querySelectorAll('.people .who')].map((node) => node.textContent)") == PAYLOADS
    minji.press("방 관리", f"{PAYLOADS[1]} 님 내보내기")
    assert PAYLOADS[1] in minji.script("return document.querySelector('dialog p').textContent")
    count = "return document.querySelectorAll('.who *, dialog p *, #news *, script:not([src]), iframe, base, math').length"
    assert minji.script(count) == 0
    jun = player()
    jun.go(f"/r/{pin}")
    jun.sees("101명이 모였어요")
    assert jun.script("return document.querySelector('.names').textContent") == " · ".join([*PAYLOADS[:10], "외 91명"])
    assert jun.script("return document.querySelector('h1').textContent") == f"{PAYLOADS[0]} 님의 방"
    assert jun.script("return document.querySelectorAll('h1 *, .names *').length") == 0


def test_the_browser_refuses_to_make_markup_of_text(player, browser):
    minji = player()
    minji.go()
    assert minji.script("try { document.querySelector('main').innerHTML = '<b>'; return 'made'; } catch (error) { return error.name; }") == "TypeError"
    assert minji.until("return faults.splice(0)", "the report") == ["policy: require-trusted-types-for trusted-types-sink"]
    assert "TrustedHTML" in browser.logged()[0]


def test_the_token_is_in_no_address(player, server):
    minji = player()
    pin = minji.open_room("민지")
    Guest(server, pin).submit()
    minji.press("내 카드 고르기").submit().press("결과 공개").sees("1순위")
    token = minji.script("return JSON.parse(localStorage.token)")
    assert len(token) == 64
    addresses = minji.script("return performance.getEntriesByType('resource').map((entry) => entry.name).concat(location.href, document.cookie)")
    assert len(addresses) > 20
    assert not [address for address in addresses if token in address]
    assert not [address for address in addresses if address and not address.startswith(server.url)]
