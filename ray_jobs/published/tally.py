"""What an import has found, counted, and the table of the differences in reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from protocols.label import Labelled
from protocols.values import normal
from ray_jobs.log import Row
from ray_jobs.published.row_lists import Published
from ray_jobs.published.verdicts import KINDS, Difference
from ray_jobs.store import Store

DIFFERENCES = "published/differences.parquet"
COLUMNS = pa.schema(
    [
        *((name, pa.string()) for name in ("debate_id", "case_id", "protocol", "panel", "order", "file")),
        ("row", pa.int64()),
        ("round", pa.int64()),
        *((name, pa.string()) for name in ("seat", "kind", "published", "read", "status")),
    ]
)
SHOWN = 5  # of values and rows of each kind


@dataclass
class Tally:
    """Counts over all files; `unusable` tells of rows that hold no debate, a line each."""

    debates: int = 0
    turns: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    differing: list[Row] = field(default_factory=list)
    unusable: list[str] = field(default_factory=list)

    def add(self, design: Row, place: tuple[str, int], found: Iterable[Difference], turns: int) -> None:
        """Takes in a debate from a file and row, from 1, of so many turns."""
        self.debates += 1
        self.turns += turns
        file, row = place
        for each in found:
            self.kinds[each.kind] += 1
            told = {**design, "file": file, "row": row, **asdict(each)}
            self.differing.append({name: told[name] for name in COLUMNS.names})

    def add_labels(self, debate: Published, given: Sequence[Labelled], known: frozenset[str]) -> None:
        """Takes in the values of a debate; `known` are those of the list in their `normal` form."""
        self.labels.update(each.reading.status for each in given)
        for agent in debate.agents:
            for values in agent.values or ():
                names = values if isinstance(values, list) else []
                self.unknown.update(
                    name for name in names if isinstance(name, str) and normal(name) not in known
                )

    def write(self, store: Store) -> None:
        """Writes the differences to the run, even where there are none."""
        sink = BytesIO()
        pq.write_table(pa.Table.from_pylist(self.differing, COLUMNS), sink, compression="zstd")
        store.write(DIFFERENCES, sink.getvalue())

    def tell(self, run: str, console: Console) -> None:
        """Prints what was found."""
        lines = [f"{run}: {self.debates:,} debates with {self.turns:,} turns"]
        if self.labels:
            counted = ", ".join(f"{count:,} {status}" for status, count in self.labels.most_common())
            lines.append(f"values of {self.labels.total():,} turns: {counted}")
        if self.unknown:
            some = ", ".join(f"'{name}' {count:,}" for name, count in self.unknown.most_common(SHOWN))
            lines.append(f"values that are not in the list: {len(self.unknown):,}, such as {some}")
        if self.unusable:
            lines.append(f"{len(self.unusable):,} rows hold no debate, and count as failed:")
            lines += [f"  {told}" for told in self.unusable[:SHOWN]]
            lines += [f"  and {len(self.unusable) - SHOWN:,} more"] if len(self.unusable) > SHOWN else []
        for line in lines:
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        self._tell_differences(run, console)

    def _tell_differences(self, run: str, console: Console) -> None:
        if not self.kinds:
            console.print("No verdict is read otherwise than it was published.")
            return
        table = Table("difference", "what was published", title="Read otherwise", title_justify="left")
        table.add_column("times", justify="right")
        for kind, meaning in KINDS.items():
            if self.kinds[kind]:
                table.add_row(kind, meaning, f"{self.kinds[kind]:,}")
        console.print(table)
        told = f"each of them: {run.rstrip('/')}/{DIFFERENCES}"
        console.print(told, highlight=False, markup=False, soft_wrap=True)
