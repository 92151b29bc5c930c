"""What comes over the wire, and how it looks."""

import io
import os
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from players import DESKTOP, PHONE
from screens import walk

SCREENSHOTS = Path(os.environ["SCREENSHOTS"])
# From the link to the first card.
REQUESTS, BYTES = 40, 130_000


def shot(player):
    player.look()
    return Image.open(io.BytesIO(player.driver.get_screenshot_as_png()))


@pytest.mark.parametrize("dark", [False, True])
def test_the_code_can_be_scanned_and_leads_into_the_room(player, server, dark):
    minji = player(dark=dark)
    pin = minji.open_room()
    minji.until("return document.querySelector('.qr').naturalWidth", "the code")
    assert [code.text for code in zxingcpp.read_barcodes(shot(minji))] == [f"{server.url}/r/{pin}"]


def test_from_the_link_to_the_first_card_on_a_cold_cache(player):
    minji, jun = player(), player()
    pin = minji.open_room("민지")
    jun.join(pin, "준")
    entries = jun.script("""
        return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map((entry) => [new URL(entry.name).pathname, entry.transferSize, Math.round(entry.responseEnd)]);
    """)
    size = sum(entry[1] for entry in entries)
    # What does not come out of the cache, and in how many milliseconds the link was there to be read.
    sent = sum(entry[1] > 0 for entry in entries)
    seen = jun.script("return Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)")
    print(f"\n{sent} requests, {size} bytes; seen after {seen} ms:", *entries, sep="\n")
    assert 10 < sent <= REQUESTS
    assert size <= BYTES
    # The next page comes out of the cache but for what can have changed.
    jun.reload()
    again = jun.script("""
        return performance.getEntriesByType('resource').filter((entry) => entry.transferSize > 0).map((entry) => new URL(entry.name).pathname);
    """)
    assert not [path for path in again if path.startswith("/assets/")]


@pytest.mark.long
@pytest.mark.parametrize("spoken", ["ko", "en"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_screenshots_of_every_screen(player, server, size, dark, spoken):
    minji = player(size=size, dark=dark, languages=spoken, calm=True)
    folder = SCREENSHOTS / "-".join(["phone" if size == PHONE else "desktop", "dark" if dark else "light", spoken])
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(walk(minji, server, spoken), 1):
        shot(minji).save(folder / f"{number:02}-{name}.png")
    assert len(list(folder.glob("*.png"))) > 18
