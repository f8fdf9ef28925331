"""One judgment in a form that a person wants to read: the case, what was judged, and the decision."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from protocols.answer_format import LETTERS, AnswerFormat
from protocols.judge import NEITHER
from protocols.reading import read
from ray_jobs.case_panel import case_panel, plain, right_letter
from ray_jobs.debate_page import WIDTH, taken
from ray_jobs.log import Row
from ray_jobs.turn_lines import COLOURS

SEEN = {
    "transcript": "all that was said",
    "positions": "what each seat said last",
    "nothing": "nothing but the case",
}
"""What a judge is shown, in words, by the column `sees`."""


def judgment_page(case: Row, ended: Row, judgment: Row, reply: Row) -> RenderableType:
    """The page of one judgment, from its rows of `cases`, `debates`, `judgments` and `replies`."""
    form = _form(case, judgment)
    said = read(reply["text"], reply["finish_reason"], form.field, form.labels).explanation
    page = Group(
        case_panel(case, judgment),
        Rule(f"stage {judgment['stage']}", style="dim"),
        _decision(judgment, right_letter(case, judgment)),
        Text(_judged(judgment), style="dim"),
        Padding(Text(plain(said) or "(no explanation)"), (1, 0, 1, 2)),
        Rule(style="dim"),
        Text(taken("judgment", ended), style="dim"),
    )
    return Constrain(page, WIDTH)


def _form(case: Row, judgment: Row) -> AnswerFormat:
    """What the judge was asked for: who is right, an option, or a verdict."""
    if judgment["answers"] == "winner":
        return AnswerFormat(field="winner", labels=(*judgment["labels"].split("-"), NEITHER))
    options = case.get("options")
    return AnswerFormat(field="answer", labels=LETTERS[: len(options)]) if options else AnswerFormat()


def _judged(judgment: Row) -> str:
    seen, after = SEEN[judgment["sees"]], judgment["source_round"]
    return f"shown: {seen} · of debate {judgment['source_debate']} after round {after}"


def _decision(judgment: Row, right: str | None) -> Text:
    colour = COLOURS[0]
    line = Text.assemble(
        (f"Judge · {judgment['judge']} · pass {judgment['pass']}  ", colour),
        (judgment["decision"] or f"({judgment['status']})", f"bold reverse {colour}"),
    )
    if right and judgment["answers"] != "winner":
        line.append("  right" if judgment["decision"] == right else f"  wrong: {right} is right", "bold")
    return line
