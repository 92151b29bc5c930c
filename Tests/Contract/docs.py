"""Makes the page for people, Resources/web/docs.html, of the contract for machines, Resources/openapi.yaml.

    docs.py           writes it
    docs.py --check   says whether it is up to date
"""

import json
import sys
from collections import Counter
from html import escape

from markdown_it import MarkdownIt

from document import DOCUMENT, OPERATIONS, PROJECT, resolved

PAGE = PROJECT / "Resources/web/docs.html"
COMPONENTS = DOCUMENT["components"]
MARKDOWN = MarkdownIt()


def text(markdown):
    return MARKDOWN.renderInline(markdown or "")


def anchor(word):
    return word.lower().replace(" ", "-")


def table(heads, rows):
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in heads)
    body = "".join(f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>\n" for row in rows)
    # Focusable, so that a wide one can be scrolled with the keyboard.
    return f'<div class="scroll" tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n'


def kind(schema):
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f'<a href="#{name}">{name}</a>' if "properties" in resolved(schema) else kind(resolved(schema))
    if "anyOf" in schema:
        return " or ".join(kind(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    names = schema.get("type", "any")
    names = [names] if isinstance(names, str) else names
    words = " or ".join(names)
    if "array" in names and "items" in schema:
        words = words.replace("array", f"array of {kind(schema['items'])}")
    if "object" in names and "additionalProperties" in schema:
        words = words.replace("object", f"object of {kind(schema['additionalProperties'])}")
    for least, most, unit in (("minimum", "maximum", ""), ("minLength", "maxLength", " characters")):
        if most in schema and schema[most] < 1 << 62:
            words += f", {schema.get(least, 0)} to {schema[most]}{unit}"
    if "pattern" in schema:
        words += f" <code>{escape(schema['pattern'])}</code>"
    return words


def members(schema):
    required = schema.get("required", [])
    rows = []
    for name, member in schema.get("properties", {}).items():
        rows.append(described(name, "" if name in required else "optional", member, resolved(member).get("description")))
    return table(("Member", "What it is"), rows)


def described(name, note, schema, description):
    """A row of a table: two columns, so that it fits on a phone."""
    note = f"<br><small>{note}</small>" if note else ""
    return f"<code>{escape(name)}</code>{note}", f"{kind(schema)}<br>{text(description)}".removesuffix("<br>")


def example(title, value):
    value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return f"<details><summary>{text(title)}</summary><pre tabindex=\"0\"><code>{escape(value)}</code></pre></details>\n"


def examples(media):
    return "".join(example(f"Example: {value['summary']}", value["value"]) for value in map(resolved, media.get("examples", {}).values()))


def who(operation):
    """Whether a device token is needed."""
    security = operation.get("security", [])
    if not security:
        # The app says who it is in ways of its own, which stand among its parameters.
        return "" if "Legacy" in operation["tags"] else "Anyone."
    return "Anyone; with a device token, as that member." if {} in security else "With a device token."


def codes(answer):
    """The codes that a response may have; none unless it is a problem."""
    problem = answer.get("content", {}).get("application/problem+json")
    return problem["schema"]["properties"]["code"]["enum"] if problem else []


def linked(names):
    return " ".join(f'<a href="#{name}"><code>{name}</code></a>' for name in names)


# What can happen nearly everywhere is not worth a line of its own every time.
FREQUENCY = Counter(code for operation in OPERATIONS for answer in operation.responses.values() for code in codes(answer))
COMMON = {code for code, count in FREQUENCY.items() if count > len(OPERATIONS) / 3} - {"room-not-found", "token-required"}


def response(status, answer):
    if codes(answer):
        about = linked(code for code in codes(answer) if code not in COMMON)
    else:
        bodies = [kind(media["schema"]) for media in answer.get("content", {}).values()]
        headers = [f"<code>{name}</code>" for name in answer.get("headers", {}) if name in ("Location", "ETag")]
        about = ", ".join(bodies + headers)
    return f"<code>{status}</code>", text(answer["description"]), about


def article(operation):
    item, answers, method = operation.item, operation.responses, operation.method
    html = f'<article id="{operation.id}">\n'
    html += f'<h3><span class="method {method}">{method.upper()}</span> <code>{escape(operation.path)}</code></h3>\n'
    html += f"<p><strong>{text(item['summary'])}.</strong> {who(item)}</p>\n".replace("?.</strong>", "?</strong>")
    html += MARKDOWN.render(item.get("description", ""))
    html += table(
        ("Parameter", "What it is"),
        [
            described(p["name"], p["in"] if p.get("required") else f"{p['in']}, optional", p["schema"], p.get("description"))
            for p in operation.parameters
        ])
    for name, media in operation.bodies.items():
        html += f"<p>Body: <code>{name}</code>, {kind(media['schema'])}</p>\n" + examples(media)
    own = {status: answer for status, answer in answers.items() if not codes(answer) or set(codes(answer)) - COMMON}
    html += table(("Status", "When", "What comes"), [response(*answer) for answer in own.items()])
    html += f"<p><small>Besides: {linked(code for answer in answers.values() for code in codes(answer) if code in COMMON)}</small></p>\n"
    for status, answer in answers.items():
        if status < 300:
            html += "".join(examples(media) for media in answer.get("content", {}).values())
    return html + "</article>\n"


def first_game():
    """The commands of the README, which are run as they stand there."""
    readme = (PROJECT / "README.md").read_text("utf-8")
    section = readme.split("## A first game\n", 1)[1].split("\n## ", 1)[0]
    return "\n".join(block.content for block in MARKDOWN.parse(section) if block.type == "fence")


def page():
    info = DOCUMENT["info"]
    sections = []
    for tag in DOCUMENT["tags"]:
        operations = [article(operation) for operation in OPERATIONS if tag["name"] in operation.item["tags"]]
        if operations:
            sections.append((tag["name"], f"<p>{text(tag['description'])}</p>\n" + "".join(operations)))
    problems = [
        (f'<code id="{code}">{code}</code><br><small>{value["value"]["status"]}</small>', text(value["summary"]))
        for code, value in COMPONENTS["examples"].items()
    ]
    bodies = "".join(
        f'<h3 id="{name}">{name}</h3>\n<p>{text(schema.get("description"))}</p>\n'.replace("<p></p>\n", "") + members(schema)
        for name, schema in COMPONENTS["schemas"].items() if "properties" in schema
    )
    game = f'<pre tabindex="0"><code>{escape(first_game())}</code></pre>\n'
    sections = [("A first game", game)] + sections
    sections += [("Codes", table(("Code", "When"), problems)), ("Bodies", bodies)]
    links = "".join(f'<li><a href="#{anchor(name)}">{name}</a></li>\n' for name, _ in sections)
    content = "".join(f'<section id="{anchor(name)}">\n<h2>{name}</h2>\n{html}</section>\n' for name, html in sections)
    return f"""<!doctype html>
<!-- Made of openapi.yaml by `make docs`. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{info['title']}: the API</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<nav aria-label="Sections"><ul>
{links}</ul></nav>
<main id="main">
<h1>{info['title']} <span lang="ko">한상</span></h1>
<p>{info['summary']} For machines: <a href="openapi.yaml">openapi.yaml</a>.</p>
{MARKDOWN.render(info['description'])}{content}</main>
</body>
</html>
"""


if __name__ == "__main__":
    html = page()
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(html, "utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != html:
        sys.exit(f"{PAGE.relative_to(PROJECT)} is not what openapi.yaml and the README make of it: run make docs")
