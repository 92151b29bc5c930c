#!/usr/bin/env python3
"""seeds.py TARGET FOLDER: writes what a fuzz target starts from, a file each, taken from the raw cases, the golden cases and the
catalogue that the other tests use too."""
import json, pathlib, sys

root = pathlib.Path(__file__).resolve().parents[2]
target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)


def requests():
    for case in json.load(open(root / "Tests/Conformance/cases.json")):
        raw = case["raw"].encode("latin-1")
        if len(raw) <= 4096:
            yield raw


def bodies():
    golden = json.load(open(root / "Tests/MenuGameTests/Fixtures/golden.json"))
    for case in golden["cases"][:40]:
        for submission in case["submissions"][:3]:
            yield submission
    catalogue = json.load(open(root / "Resources/catalogue.json"))
    yield {**catalogue, "menus": catalogue["menus"][:3]}
    small = golden["catalogues"]["test"]
    small = {**small, "menus": small["menus"][:4]}
    yield small
    yield {"catalogue": small, "submissions": golden["cases"][0]["submissions"][:2], "seed": "s", "weights": {"a": 2}, "avoid": ["m001"]}
    yield {"answers": {"hot": "like", "staple": ["rice", "soup"], "cuisine": ["korean"]}, "vetoes": ["meat", "fish"]}
    yield {"answers": {"hot": "skip", "staple": ["none"]}, "vetoes": []}
    yield {"nickname": "민지", "deadlineAt": 1790000001000, "revealWhen": {"host": False, "anyMember": True, "deadline": True, "submissions": 3}}
    yield [None, True, -1, 9223372036854775807, 1e300, 5e-324, -0.0, "\u0001\"\\/é\U0001f35a", {"": []}]


FIELDS = """
ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7
en, *;q=0
text/html, application/*;q=0.5, */*;q=0.001, application/json;q=0
W/"tag", "x" , *
Bearer device-token-of-minji
bearer   0123456789abcdef
limit=20&tag=%EB%A7%A4%EC%9A%B4&q=a+b&=
v1/rooms/123456/members/me
v1/menus/%ED%95%9C%EC%83%81
123456
민지
  김치 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é é
가각
"""

if target in ("RequestFuzz", "ConnectionFuzz"):
    seeds = requests()
elif target == "BodyFuzz":
    seeds = (json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() for body in bodies())
else:
    seeds = (line.encode() for line in FIELDS.strip("\n").split("\n"))
for number, seed in enumerate(seeds):
    (folder / f"{number:03}").write_bytes(seed)
