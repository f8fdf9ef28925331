"""One debate in a form that a person wants to read: the case, then round by round what each seat said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from ray_jobs.log import Row

COLOURS = ("cyan", "magenta", "green", "yellow", "blue")
WIDTH = 96  # columns that are comfortable to read


def debate_page(case: Row, debate: Row, turns: Sequence[Row]) -> RenderableType:
    """The page of one debate, from its rows of `cases`, `debates` and `turns`.

    What models wrote is shown as plain text: it can carry neither markup nor control characters. Where the
    debate goes on from another, a line stands between what was said there and what is its own.
    """
    page = Group(
        case_panel(case, debate),
        *_rounds(debate, sorted(turns, key=lambda turn: (turn["round"], turn["position"]))),
        Rule(style="dim"),
        _ending(debate),
    )
    return Constrain(page, WIDTH)


def case_panel(case: Row, design: Row) -> Panel:
    """The case, and below it the design of the debate of which a row has the columns."""
    named = (
        f"{design['protocol']} · {design['panel']} · order {design['order']} · steering {design['steering']}"
    )
    story = Group(Text(plain(case["text"])), Text(f"\n{named}", style="dim"))
    title = Text(plain(case["title"] or case["case_id"]), style="bold")
    return Panel(story, title=title, title_align="left")


def plain(text: str) -> str:
    """The text without control characters, line ends and tabs apart; other spaces are plain ones."""
    spaced = (" " if mark.isspace() and mark not in "\n\t" else mark for mark in text)
    return "".join(mark for mark in spaced if mark in "\n\t" or mark.isprintable())


def _rounds(debate: Row, turns: Sequence[Row]) -> Iterator[RenderableType]:
    last: dict[str, str | None] = {}
    round, opening = 0, False
    for turn in turns:
        if opening and not turn["opening"]:
            yield Rule(f"from here on: stage {debate['stage']}", style="bold")
        opening = turn["opening"]
        if turn["round"] != round:
            round = turn["round"]
            yield Rule(f"round {round}", style="dim")
        yield _turn(turn, debate["labels"].split("-"), last)
        last[turn["seat"]] = turn["label"]


def _turn(turn: Row, numbers: Sequence[str], last: dict[str, str | None]) -> RenderableType:
    place = int(turn["seat"].removeprefix("seat")) - 1
    colour = COLOURS[place % len(COLOURS)]
    label = turn["label"] or f"({turn['status']})"
    line = Text.assemble(
        (f"Agent {numbers[place]} · {turn['seat']} · {turn['model']}  ", colour),
        (label, f"bold reverse {colour}"),
    )
    before = last.get(turn["seat"])
    if before and turn["label"] and before != turn["label"]:
        line.append(f"  changed from {before}", style="bold")
    said = plain(turn["explanation"] if turn["label"] else turn["shown"]) or "(no explanation)"
    return Padding(Group(line, Padding(Text(said), (0, 0, 0, 2))), (0, 0, 1, 0))


def _ending(debate: Row) -> Text:
    finals = ", ".join(label or "unreadable" for label in debate["final_labels"])
    endings = {
        "consensus": f"Consensus on {debate['consensus_label']} in round {debate['consensus_round']}.",
        "no_consensus": f"No consensus after {debate['rounds']} rounds: {finals}.",
        "verdict": f"Verdict: {finals}.",
        "unreadable": "No readable verdict.",
    }
    return Text.assemble((endings[debate["outcome"]], "bold"), (f"  {taken('debate', debate)}", "dim"))


def taken(kind: str, ended: Row) -> str:
    """What a debate or judgment took, and its id, from its row of `debates`."""
    calls = "1 call" if ended["calls"] == 1 else f"{ended['calls']:,} calls"
    tokens = (ended["prompt_tokens"] or 0) + (ended["completion_tokens"] or 0)
    return f"{calls}, {tokens:,} tokens · {kind} {ended['debate_id']}"
