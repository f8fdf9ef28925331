"""One debate in a form that a person wants to read: the case, then round by round what each seat said."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from protocols import PROTOCOLS
from protocols.argument import argued
from protocols.critiqued import PROSE
from protocols.dialogue import Reply
from protocols.judge import JUDGE
from protocols.sections import ALONE, ARGUING, OPENED
from protocols.transcript import NO_REPLY
from ray_jobs.case_panel import case_panel, plain, right_letter
from ray_jobs.checks import parameters
from ray_jobs.log import Row
from ray_jobs.turn_lines import KINDS, admitted, turn_lines

WIDTH = 96  # columns that are comfortable to read

EXITS = {
    "consensus": "",
    "swapped": " In the last turn they exchanged their answers.",
    "turn_limit": " The turns were used up.",
}
"""How the attempt to resolve a disagreement ended, by the column `exit_mode`."""


def debate_page(case: Row, debate: Row, turns: Sequence[Row], replies: Sequence[Row] = ()) -> RenderableType:
    """The page of one debate, from its rows of `cases`, `debates`, `turns` and `replies`.

    What models wrote is shown as plain text: it can carry neither markup nor control characters. Where the
    debate goes on from another, a line stands between what was said there and what is its own.
    """
    ordered = sorted(turns, key=lambda turn: (turn["round"], turn["position"]))
    begun = _begun(debate, ordered)
    page = Group(
        case_panel(case, debate),
        *_rounds(debate, ordered, begun, _made_of(replies), _asked(replies)),
        Rule(style="dim"),
        _ending(debate, begun, right_letter(case, debate)),
    )
    return Constrain(page, WIDTH)


def taken(kind: str, ended: Row) -> str:
    """What a debate or judgment took, and its id, from its row of `debates`."""
    calls = "1 call" if ended["calls"] == 1 else f"{ended['calls']:,} calls"
    tokens = (ended["prompt_tokens"] or 0) + (ended["completion_tokens"] or 0)
    return f"{calls}, {tokens:,} tokens · {kind} {ended['debate_id']}"


def _made_of(replies: Sequence[Row]) -> dict[tuple[int, str], list[Row]]:
    """Drafts, choices and critiques by the round and seat of the turn that they are of."""
    found = defaultdict(list)
    for reply in sorted(replies, key=lambda one: (one["step"], one["slot"])):
        if reply["kind"] in KINDS:
            found[reply["round"], reply["seat"]].append(reply)
    return found


def _asked(replies: Sequence[Row]) -> dict[int, str]:
    """What a judge who sat in asked after each round."""
    return {
        row["round"]: argued(PROSE, Reply(row["text"], row["finish_reason"]))[1]
        for row in replies
        if row["kind"] == "judge" and row["seat"] == JUDGE
    }


def _begun(debate: Row, turns: Sequence[Row]) -> int:
    """The last round of what the debate begins with: openings, or all of the debate before it."""
    before = [turn["round"] for turn in turns if turn["opening"]]
    return max(before, default=1 if debate["protocol"] in OPENED else 0)


def _named(debate: Row, round: int, begun: int) -> str:
    """A round in words: "round 3"; where a protocol counts turns after openings, "round 3, turn 2 of 5"."""
    known = parameters(debate["protocol"]) if debate["protocol"] in PROTOCOLS else {}
    if "turns" not in known:
        return f"round {round}"
    if round <= begun:
        return f"round {round}, openings" if begun == 1 else f"round {round}"
    turns = json.loads(debate["variant"] or "{}").get("turns", known["turns"].default)
    return f"round {round}, turn {round - begun} of {turns}"


def _rounds(
    debate: Row,
    turns: Sequence[Row],
    begun: int,
    made_of: Mapping[tuple[int, str], list[Row]],
    asked: Mapping[int, str],
) -> Iterator[RenderableType]:
    stands: dict[str, str | None] = {}
    round, opening = 0, False
    for turn in turns:
        if opening and not turn["opening"]:
            yield Rule(f"from here on: stage {debate['stage']}", style="bold")
        opening = turn["opening"]
        if turn["round"] != round:
            if round in asked:
                yield _question(asked[round])
            round = turn["round"]
            yield Rule(_named(debate, round, begun), style="dim")
        seat = turn["seat"]
        number = debate["labels"].split("-")[int(seat.removeprefix("seat")) - 1]
        yield turn_lines(turn, number, stands.get(seat), made_of.get((round, seat), ()))
        if admitted(turn) and debate["protocol"] not in ALONE:  # there no answer comes after another
            stands[seat] = turn["label"]


def _question(text: str) -> RenderableType:
    said = Padding(Text(plain(text).strip() or NO_REPLY), (0, 0, 0, 2))
    return Padding(Group(Text("The judge asks", style="bold"), said), (0, 0, 1, 0))


def _ending(debate: Row, begun: int, right: str | None) -> Text:
    finals = [f"{label}{' (right)' * (label == right)}" for label in debate["final_labels"] if label]
    every = ", ".join(finals + ["unreadable"] * debate["final_labels"].count(None))
    agreed, when = debate["consensus_label"], debate["consensus_round"]
    if debate["protocol"] in ARGUING:
        said = f"Argued for: {', '.join(finals) or 'nothing that could be read'}."
    elif debate["outcome"] == "consensus":
        said = f"Consensus on {agreed}{' (right)' * (agreed == right)} in {_named(debate, when, begun)}."
    elif debate["outcome"] == "no_consensus":
        said = f"No consensus after {debate['rounds']} rounds: {every}."
    elif agreed:
        said = f"Decided by vote: {agreed}{' (right)' * (agreed == right)}."
    else:
        said = "No readable verdict." if debate["outcome"] == "unreadable" else f"Verdict: {every}."
    told = said + EXITS.get(debate.get("exit_mode") or "", "")
    return Text.assemble((told, "bold"), (f"  {taken('debate', debate)}", "dim"))
