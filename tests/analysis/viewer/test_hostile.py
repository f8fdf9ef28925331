"""What models say is text in every page, whatever they say."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from tests.analysis.viewer.made_up import Made, case, judgment
from tests.analysis.viewer.test_debate import asking

HOSTILE = "</bdi><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;\u202eevil\u2066\u200b\x1b"


def test_hostile_text_is_text_everywhere(tmp_path: Path) -> None:
    made = Made(
        "d",
        [("NTA", HOSTILE), ("YTA", "NTA")],
        said=HOSTILE,
        shown=HOSTILE,
        panel=("alpha", "beta"),
        own={
            (1, "seat1"): {"crux": HOSTILE, "violation": HOSTILE, "stated_action": HOSTILE, "action": HOSTILE}
        },
        design=dict.fromkeys(("protocol", "steering", "order", "listing", "stage", "answer_format"), HOSTILE),
        ended={
            "outcome": HOSTILE,
            "consensus_label": HOSTILE,
            "exit_mode": HOSTILE,
            "final_labels": [HOSTILE, None],
        },
    )
    told = case(title=HOSTILE, text=HOSTILE, options=[HOSTILE, "x"], truth=HOSTILE)
    failed = {
        **made.columns,
        "debate_id": "f",
        **dict.fromkeys(("error_class", "message", "seat"), HOSTILE),
        "attempts": 3,
    }
    judged = judgment(made, "j", judge=HOSTILE, decision=HOSTILE, sees=HOSTILE, stage=HOSTILE)
    asked = asking(
        tmp_path, made, replace(made, id="e"), cases=[told], others=[{"failures": [failed]}, judged]
    )
    for address in (
        "/run",
        "/run/debates",
        "/run/debates/d?beside=e",
        "/run/debates/d/turns/1/seat1",
        "/run/debates/j/turns/2/judge",
    ):
        answer = asked.get(address)
        assert answer.status_code == 200
        assert set(markup(answer.text)) <= ALLOWED, address
        inside = re.sub(r'(href|value|data-piece)="[^"]*"', "", answer.text)
        assert not [mark for mark in "\u202e\u2066\u200b\x1b" if mark in inside], address


class Markup(HTMLParser):
    """What tags, and attributes that could do something, a page has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.found += [name for name, _ in attrs if name.startswith("on") or name in ("style", "srcdoc")]
        self.found += [f"script {value}" for name, value in attrs if tag == "script" and name == "src"]
        self.found += [value or "" for name, value in attrs if name == "href" and ":" in (value or "")[:12]]


def markup(page: str) -> list[str]:
    parser = Markup()
    parser.feed(page)
    return parser.found


ALLOWED = {
    *"html head meta title link script body a header nav main aside section article div form footer".split(),
    *"h1 h2 h3 h4 p ul ol li dl dt dd table caption thead tbody tr th td details summary b kbd code".split(),
    *"span bdi meter input label fieldset legend button".split(),
    "script /static/viewer.js",
}


def test_a_very_long_text_is_folded(tmp_path: Path) -> None:
    said = "word " * 100_000
    page = asking(tmp_path, Made("d", [("NTA",)], panel=("alpha",), said=said)).get("/run/debates/d").text
    assert len(page) < 300_000
    assert page.index("word") < page.index("more signs</summary>")
    assert "300,000 further signs are not shown here." in page
