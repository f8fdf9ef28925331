"""Made-up files in the form of the study of interaction protocols, a row a debate."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from protocols.answer_format import VERDICTS
from protocols.values import VALUES_48

MODELS = {"gpt": "GPT-4.1", "cla": "Claude 3.7", "gem": "Gemini 2.0"}
ROUNDS = 4
MARKDOWN = "**My current verdict:** {label}\n\nBecause of {value}."
COMMENT = "My current verdict: {label}, for now\n\nBecause of {value}."
CONDITIONAL = "My current verdict: YWBTA\n\nBecause of {value}."
PLAIN = "My current verdict: {label}\n\nBecause of {value}."
NOTHING = "I would rather hear more about {value} first."

Row = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """One turn: how it was written, the label that it means, and the values found in it."""

    form: str
    label: str | None
    values: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.form.format(label=self.label, value=self.values[0] if self.values else "that")

    @property
    def published(self) -> str | None:
        """The verdict as the authors' rule has it: the rest of the line behind its phrase, in upper case."""
        _, phrase, rest = self.text.partition("My current verdict:")
        return rest.split("\n")[0].strip().upper().rstrip(".!?:;") if phrase else None


Debate = list[list[Said]]
"""Rounds of turns, in the order in which the agents are numbered."""


def drawn(chance: random.Random, seats: int) -> Debate:
    """A debate that ends as the authors' rule ends it: when their strings are all the same."""
    rounds: Debate = []
    while len(rounds) < ROUNDS:
        rounds.append(
            [_turn(chance, [turn.label for turn in rounds[-1]] if rounds else []) for _ in range(seats)]
        )
        if len({turn.published for turn in rounds[-1]}) == 1:
            break
    return rounds


def _turn(chance: random.Random, before: Sequence[str | None]) -> Said:
    form = chance.choices([PLAIN, MARKDOWN, COMMENT, CONDITIONAL, NOTHING], [80, 8, 5, 2, 5])[0]
    label = chance.choice([*VERDICTS[:3], *filter(None, before), *filter(None, before)])
    label = None if form is NOTHING else "YTA" if form is CONDITIONAL else label
    names = [value.name for value in VALUES_48[:8]]
    return Said(form, label, tuple(chance.sample(names, chance.randint(0, 4))))


def row_of(debate: Debate, texts: bool = True, names: Sequence[str] = ()) -> Row:
    """The row of a debate. The final verdict is that of more than half of those who have one at the end."""
    last = [turn.published for turn in debate[-1] if turn.published is not None]
    most = max(last, key=last.count, default=None)
    row: Row = {
        "n_rounds": len(debate),
        "final_verdict": most if most and last.count(most) > len(last) / 2 else None,
    }
    for agent in range(1, len(debate[0]) + 1):
        own = [turns[agent - 1] for turns in debate]
        row[f"Agent_{agent}_verdicts"] = [turn.published for turn in own]
        row[f"Agent_{agent}_values"] = [list(turn.values) for turn in own]
        if texts:
            row[f"Agent_{agent}_messages"] = [turn.text for turn in own]
        if names:
            row[f"Agent_{agent}_name"] = names[agent - 1]
    return row


def study_files() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of the files of the paper's whole design, and the models in the order of their agents."""
    for pair in combinations(MODELS, 2):
        yield f"sync_h2h_{pair[0]}_vs_{pair[1]}", pair
    for ordered in permutations(MODELS, 2):
        yield f"round_robin_h2h_{ordered[0]}_vs_{ordered[1]}", ordered
    for three in permutations(MODELS, 3):
        yield "round_robin_3way_" + "_".join(three), three


def write_rows(folder: Path, name: str, rows: Sequence[Row]) -> Path:
    """Writes rows as a published file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.parquet"
    pq.write_table(pa.Table.from_pylist(list(rows)), file)
    return file


def write_study(
    folder: Path, debates: int, seed: int = 1, texts: bool = True, holding: str = ""
) -> Mapping[str, list[Debate]]:
    """Writes a study of the whole design, or its files whose names are `holding` some text.

    Returns what is in its files, by their names.
    """
    chance = random.Random(seed)
    written: dict[str, list[Debate]] = {}
    for name, models in study_files():
        if holding not in name:
            continue
        written[name] = [drawn(chance, len(models)) for _ in range(debates)]
        names = [MODELS[model] for model in models]
        write_rows(folder, name, [row_of(debate, texts, names) for debate in written[name]])
    return written
