"""The card of an exported run: what it is, how it was designed and asked, what its columns mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

import pyarrow as pa
import pyarrow.compute as pc
import yaml

from analysis.report.setting import Setting
from protocols.columns import DESIGN, SCHEMA_VERSION, TABLES
from protocols.prompts import BUILTIN
from ray_jobs.claims import Claim
from ray_jobs.log import Row

PROMPTS = "prompts"
CELL = ("stage", "protocol", "panel", "order", "steering", "answer_format")
TAGS = ["debate", "multi-agent", "llm", "moot"]
_TICKS = re.compile("`+")


@dataclass
class Seen:
    """What of the rows that were written is for the card: rows by table, debates by cell of the design, and
    of each kind of question one as it was put.
    """

    counts: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[str, ...]] = field(default_factory=Counter)
    questions: dict[str, Sequence[Row]] = field(default_factory=dict)

    def look(self, table: str, rows: pa.Table) -> None:
        """Takes in rows of a table."""
        self.counts[table] += len(rows)
        if table == "debates":
            debates = rows.filter(pc.not_equal(rows["outcome"], "judgment")).select(list(CELL))
            cells = (tuple(str(cell) for cell in row.values()) for row in debates.to_pylist())
            self.cells.update(cells)
        elif table == "replies":
            self._take_questions(rows.filter(pc.is_valid(rows["messages"])))

    def _take_questions(self, asked: pa.Table) -> None:
        for kind in pc.unique(asked["kind"]).to_pylist():
            if kind not in self.questions:
                first = asked.filter(pc.equal(asked["kind"], kind)).slice(0, 1)
                self.questions[kind] = first["messages"].to_pylist()[0]


@dataclass(frozen=True, slots=True)
class Card:
    """What a card tells: the run's setting, its last claim, and what was `seen` of its rows."""

    setting: Setting
    claim: Claim
    seen: Seen
    licence: str | None

    def text(self) -> str:
        """The card in Markdown, under a head in YAML from which the hub knows the tables."""
        sections = [
            f"---\n{yaml.safe_dump(self._head(), sort_keys=False, allow_unicode=True)}---",
            f"# {self.setting.name}",
            f"Debates between language models, played and kept by moot {version('moot')}: run"
            f" `{self.claim.run_id}`, tables of schema version {SCHEMA_VERSION}.",
            *self.setting.unfinished,
            *self._licence(),
            *self._design(),
            *self._models(),
            *self._prompts(),
            *self._columns(),
        ]
        return "\n\n".join(sections) + "\n"

    def _head(self) -> dict[str, object]:
        tables = [
            {"config_name": table, "data_files": f"data/{table}/*.parquet"}
            | ({"default": True} if table == "debates" else {})
            for table in self.seen.counts
        ]
        licence = {"license": self.licence} if self.licence else {}
        return {"pretty_name": self.setting.name, **licence, "tags": TAGS, "configs": tables}

    def _licence(self) -> Iterator[str]:
        yield "## Licence"
        if self.licence:
            yield f"`{self.licence}`. It does not cover cases that are the work of others."
        else:
            yield "None was given, so nobody but its authors may use the data: name one before it is shared."

    def _design(self) -> Iterator[str]:
        yield "## Design"
        yield "\n".join(f"- {fact}" for fact in self.setting.facts)
        yield "The experiment, complete, is `experiment.yaml`. Debates by cell of the design:"
        rows = [[*cell, f"{count:,}"] for cell, count in sorted(self.seen.cells.items())]
        yield _table([*CELL, "debates"], rows)

    def _models(self) -> Iterator[str]:
        yield "## Models"
        models = self.setting.models
        yield _table(list(models.columns), models.astype(str).to_numpy().tolist())

    def _prompts(self) -> Iterator[str]:
        yield "## Prompts"
        if not self.seen.questions:
            yield "How the models were asked is not part of this run."
            return
        yield (
            "Each question stands in full in the column `messages` of `replies`. The texts that questions are"
            f" made of are {len(BUILTIN)} files in `{PROMPTS}/`; one of each kind of question:"
        )
        for kind, messages in sorted(self.seen.questions.items()):
            yield f"### {kind}"
            for message in messages:
                yield f"{message['role']}:\n\n{_fenced(message['content'])}"

    def _columns(self) -> Iterator[str]:
        yield "## Columns"
        yield "Every table begins with the columns of the design; any column may be null."
        yield _table(["column", "type", "meaning"], [list(column) for column in DESIGN])
        for table, count in self.seen.counts.items():
            yield f"### {table}: {count:,} rows"
            yield _table(["column", "type", "meaning"], [list(column) for column in TABLES[table]])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _fenced(text: str) -> str:
    """The text as it stands, between fences longer than any row of backticks in it."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in _TICKS.findall(text))])
    return f"{fence}\n{text}\n{fence}"
