"""Texts by which models, files and servers may try to break a page, put in place of what a run says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle

from ray_jobs.log import Row

ELSEWHERE = "http://192.0.2.1"
"""An address for documentation (RFC 5737): nothing answers there, and nothing may be asked of it."""

SCRIPTS = {
    "script": f"<script>window.ran = 1; alert(1)</script><script src='{ELSEWHERE}/a.js'></script>",
    "end of script": "</script></style></textarea></title><script>window.ran = 2; alert(2)</script>",
    "handler": "<img src=x onerror='window.ran = 3; alert(3)'><svg onload=\"window.ran = 4; alert(4)\">",
    "attribute": '" autofocus onfocus="window.ran = 5; alert(5)" x=\'` onmouseover=window.ran=6 \'',
    "link": "<a href='javascript:window.ran = 7'>read on</a> [read on](javascript:alert(8))",
    "remote": f"<img src='{ELSEWHERE}/a.png'> ![a]({ELSEWHERE}/b.png)"
    f"<link rel=stylesheet href='{ELSEWHERE}/c.css'>",
    "style": f"<style>* {{ display: none }} body {{ background: url({ELSEWHERE}/d.png) }}</style>",
    "page": f"<base href='{ELSEWHERE}/'><meta http-equiv=refresh content='0; url={ELSEWHERE}'>"
    f"<iframe src='{ELSEWHERE}'>",
    "form": f"<form action='{ELSEWHERE}'><button>Next</button></form><dialog open>Sign in</dialog>",
    "template": "{{ 7 * 7 }} {% include 'x' %} ${alert(9)} <!-- --> ]]> <![CDATA[ &lt;b&gt; &#x3C;b&#x3E;",
}
"""What would run, load or restyle, were it taken for markup. `window.ran` tells that a script has."""

LETTERS = {
    "bidi": "\u202eesrever\u202c \u2066isolated\u2069 \u2067never ended \u202d and on",
    "zero width": "zero\u200bwidth\u200d\u2060\ufeff\u00adtext\u2028line\u2029paragraph",
    "right to left": "אני חושב שהוא צודק, כי הסולם שלו. وأنا أيضا أعتقد ذلك.",
    "combining": "Z" + "\u0301\u0302\u0303\u0316\u0317\u0338" * 40 + " and on",
    "control": "\x1b[31mred\x1b]0;title\x07 gone\x08\x08\x7f bell\x07 \x9b2J a\x00b\r\nnext",
    "surrogate": 'half a letter, as JSON writes it: "\\ud800" and \\udfff; replaced \ufffd',
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 \U000e0041\U000e0042 :warning:",
    "formula": '=HYPERLINK("http://192.0.2.1","read")',
    "markdown": "```\n~~~\n````\n# A heading\n\n---\n| a | b |\n<details><summary>\n    * [x] \\` [^1]",
    "empty": " \n\t \u00a0 ",
}
"""What would mislead the eye, the terminal or the layout."""

LONG = {
    "word": "w" * 20_000,
    "lines": "\n" * 3_000 + "the end of many lines",
    "megabyte": "A text of a megabyte. " * 47_663,
}
"""What would push everything else off the page."""

TEXTS = {**SCRIPTS, **LETTERS, **LONG}

_SAID = ("explanation", "shown", "crux")
_REPLIED = ("text", "reasoning", "provider", "model_answered", "finish_reason")


class Hostile:
    """Puts the texts in place of what was said, one after another: a `change` of `played`.

    Long texts come as explanations alone, and each but once.
    """

    def __init__(self) -> None:
        short = [*SCRIPTS.values(), *LETTERS.values()]
        self._texts: defaultdict[str, Iterator[str]] = defaultdict(lambda: cycle(short))
        self._long = list(LONG.values())

    def __call__(self, table: str, row: Row) -> Row:
        """The row with hostile texts."""
        if table == "cases":
            return {**row, **{name: self._next(name) for name in ("title", "text", "source")}}
        if table == "turns":
            said = {name: self._next(name) for name in _SAID if row[name] is not None}
            return {**row, **said, **({"explanation": self._long.pop()} if self._long else {})}
        if table == "replies":
            shown = [{**message, "content": self._next("messages")} for message in row["messages"]]
            return {**row, **{name: self._next(name) for name in _REPLIED}, "messages": shown}
        if table == "failures":
            return {**row, **{name: self._next(name) for name in ("message", "error_class")}}
        return row

    def _next(self, column: str) -> str:
        return next(self._texts[column])
