"""Debates in which a text stands: in their case, in what a seat said, or in the crux that it named.

A search reads the turns part by part in a thread of its own, and its hits can be had while it does. They
keep the order in which they were found, which is that of the tables.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Lock

import pyarrow as pa
import pyarrow.compute as pc

from analysis.listing import parts
from analysis.part import Part, PartError, opened_part
from analysis.viewer.excerpt import Excerpt, excerpt
from analysis.viewer.index import Index, Row

KEPT = 16
"""Searches of which the hits are kept."""

PLACE = ("round", "seat")
COLUMNS = ("explanation", "crux")
OF_CASES = ("title", "text")

EXCERPTS = 5_000
"""Hits of which it is kept what stands around them: a hundred pages."""


class Search:
    """The debates in which a text stands, upper and lower case alike."""

    def __init__(self, index: Index, text: str) -> None:
        self._index, self._text = index, text
        self._found: list[str] = []
        self._known: set[str] = set()
        self._excerpts: dict[str, Excerpt] = {}
        self._scanned: set[str] = set()
        self._going = False
        self._moved = Condition()

    @property
    def going(self) -> bool:
        """Whether it has not come to the end."""
        return self._going

    def excerpt(self, debate: str) -> Excerpt | None:
        """What stands around the text in a turn of a debate, or in its case; None beyond the first hits."""
        return self._excerpts.get(debate)

    def begin(self, pool: ThreadPoolExecutor) -> None:
        """Reads, in a thread of the pool, the parts that it has not read yet."""
        with self._moved:
            if self._going:
                return
            new = [path for path in parts(self._index.run, "turns") if path not in self._scanned]
            if not new and self._scanned:
                return
            self._going = True
        pool.submit(self._scan, new)

    def follow(self) -> Iterator[list[str]]:
        """The hits in batches as they are found, from the first to the end of the search."""
        at = 0
        while True:
            with self._moved:
                self._moved.wait_for(lambda: len(self._found) > at or not self._going)  # noqa: B023  waited for here
                batch, going = self._found[at:], self._going
            at += len(batch)
            if batch:
                yield batch
            if not going:
                return

    def table(self) -> pa.Table:
        """All hits with their places, once it has come to its end."""
        with self._moved:
            self._moved.wait_for(lambda: not self._going)
            found = list(self._found)
        return pa.table({"debate_id": pa.array(found, pa.string()), "place": range(len(found))})

    def _scan(self, new: list[str]) -> None:
        try:
            self._tell(self._of_cases())
            for path in new:
                try:
                    for batch in self._of_part(path):
                        self._tell(batch)
                except PartError as error:
                    self._index.problems[path] = str(error)
                self._scanned.add(path)
        finally:
            with self._moved:
                self._going = False
                self._moved.notify_all()

    def _tell(self, debates: list[str]) -> None:
        with self._moved:
            self._found += [debate for debate in debates if debate not in self._known]
            self._known.update(debates)
            self._moved.notify_all()

    def _of_cases(self) -> list[str]:
        """The debates of the cases in which it stands."""
        found: dict[str, Excerpt | None] = {}
        for path in parts(self._index.run, "cases"):
            try:
                with opened_part(self._index.files, Part("cases", path)) as opened:
                    rows = opened.read(columns=["case_id", *OF_CASES])
            except PartError as error:
                self._index.problems[path] = str(error)
                continue
            for row in rows.filter(self._in(rows, OF_CASES)).to_pylist():
                found[row["case_id"]] = self._around(row, "case", OF_CASES)
        asked = "select case_id, debate_id from debates where list_contains(?, case_id) order by all"
        debates = self._index.rows(asked, [list(found)]) if found else []
        for row in debates[:EXCERPTS]:
            self._keep(row["debate_id"], found[row["case_id"]])
        return [row["debate_id"] for row in debates]

    def _of_part(self, path: str) -> Iterator[list[str]]:
        """The debates of a part in which it stands, as far as a piece of the part holds them."""
        with opened_part(self._index.files, Part("turns", path)) as opened:
            for rows in opened.iter_batches(batch_size=8192, columns=["debate_id", *PLACE, *COLUMNS]):
                found = pa.table(rows).filter(self._in(pa.table(rows), COLUMNS))
                for turn in found.slice(0, max(0, EXCERPTS - len(self._excerpts))).to_pylist():
                    where = f"round {turn['round']}, {turn['seat']}"
                    self._keep(turn["debate_id"], self._around(turn, where, COLUMNS))
                if len(found):
                    yield found["debate_id"].unique().to_pylist()

    def _around(self, row: Row, where: str, columns: tuple[str, ...]) -> Excerpt | None:
        """What stands around the text in the first of the columns that has it."""
        places = (excerpt(where, row[name], self._text) for name in columns if row[name])
        return next(filter(None, places), None)

    def _keep(self, debate: str, found: Excerpt | None) -> None:
        if found is not None:
            self._excerpts.setdefault(debate, found)

    def _in(self, rows: pa.Table, columns: tuple[str, ...]) -> pa.ChunkedArray:
        """Which rows have the text in one of the columns."""
        first, *others = (
            pc.fill_null(pc.match_substring(rows[name], self._text, ignore_case=True), False)
            for name in columns
        )
        for other in others:
            first = pc.or_(first, other)
        return first


class Searches:
    """The searches of a run that were made last, by their text."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: OrderedDict[str, Search] = OrderedDict()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="search")
        self._lock = Lock()

    def of(self, text: str) -> Search | None:
        """The search for a text, begun if it was not; None for no text."""
        if not text:
            return None
        with self._lock:
            search = self._kept.setdefault(text, Search(self._index, text))
            self._kept.move_to_end(text)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        search.begin(self._pool)
        return search
