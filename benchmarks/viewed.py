"""The published design with all that was said, as a viewer finds it: made up as tables, not played.

To the tables of `benchmarks.published` come the cases, how each debate ended, and to every turn an
explanation of its own, what the seat was shown, and its reply. Texts are words drawn at random, so that they
are as long and as little alike as real ones; parts are as big as those of a run.
"""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from analysis.schema import schema
from benchmarks.published import DILEMMAS, write_published

REPETITIONS = 18
"""Of the published design: a million turns."""

VOCABULARY, SAID, STORY = 4_000, 60, 200
"""Words that there are, in an explanation, in a case."""

NEEDLE, RARE = "heliotrope", 100_000
"""A word, and of how many explanations one has it."""

PART_TURNS = 20_000
GROUPS = {"turns": 5_000, "replies": 2_000, "debates": 10_000}
"""Rows in a row group: about 4 MB, as a run writes them."""

SYSTEM = "You are one of several who discuss a moral dilemma, and say which of five verdicts is right. " * 6

Codes = NDArray[np.int64]
Columns = Mapping[str, pa.Array]


def write_viewed(run: Path, repetitions: int = 1) -> int:
    """Writes the tables of a run, 54,000 turns for each repetition of the design; returns how many turns."""
    turns, chance = write_published(run, repetitions), np.random.default_rng(11)
    words = pa.array(_vocabulary(chance))
    stories = _texts(words, DILEMMAS, STORY, chance)
    ids = pa.array([f"dilemma-{place:04}" for place in range(DILEMMAS)])
    told = {"case_id": ids, "title": pc.utf8_slice_codeunits(stories, 0, 40), "text": stories}
    (run / "tables" / "cases").mkdir()
    pq.write_table(_with(pa.table({"case_id": ids}), "cases", told), run / "tables" / "cases" / "all.parquet")
    for file in sorted((run / "tables" / "turns").iterdir()):
        _tell(run, file.name, words, stories, chance)
    return turns


def _tell(run: Path, name: str, words: pa.Array, stories: pa.Array, chance: np.random.Generator) -> None:
    """Puts in place of one part of each table several, with all that was said."""
    files = {table: run / "tables" / table / name for table in ("turns", "replies", "debates")}
    whole = {table: pq.read_table(file, schema=schema(table)) for table, file in files.items()}
    ids = whole["turns"]["debate_id"].to_numpy()
    first = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
    cuts = np.unique(np.searchsorted(first, np.arange(0, len(ids), PART_TURNS)))
    for number, (start, end) in enumerate(zip(cuts, [*cuts[1:], len(first)], strict=True)):
        row, after = first[start], first[end] if end < len(first) else len(ids)
        turns = whole["turns"].slice(row, after - row)
        said = _explanations(words, len(turns), chance)
        replies = _replies(turns, said, _messages(turns, said, stories))
        endings = _endings(turns, first[start:end] - row)
        parts = {
            "turns": _with(turns, "turns", {"explanation": said, "shown": said}),
            "replies": _with(whole["replies"].slice(row, after - row), "replies", replies),
            "debates": _with(whole["debates"].slice(start, end - start), "debates", endings),
        }
        for table, rows in parts.items():
            out = files[table].with_name(f"{name.removesuffix('.parquet')}-{number:03}.parquet")
            pq.write_table(rows, out, row_group_size=GROUPS[table], compression="zstd")
    for file in files.values():
        file.unlink()


def _vocabulary(chance: np.random.Generator) -> list[str]:
    letters = np.array(list(string.ascii_lowercase))
    return ["".join(chance.choice(letters, size)) for size in chance.integers(2, 10, VOCABULARY)]


def _texts(words: pa.Array, count: int, length: int, chance: np.random.Generator) -> pa.Array:
    """So many texts of so many words each, common ones far more often than rare ones."""
    drawn = (len(words) * chance.random(count * length) ** 3).astype(np.int64)
    offsets = np.arange(0, count * length + 1, length, dtype=np.int32)
    return pc.binary_join(pa.ListArray.from_arrays(offsets, words.take(drawn)), " ")


def _explanations(words: pa.Array, count: int, chance: np.random.Generator) -> pa.Array:
    said = _texts(words, count, SAID, chance)
    return pc.if_else(chance.random(count) < 1 / RARE, pc.binary_join_element_wise(said, NEEDLE, " "), said)


def _messages(turns: pa.Table, said: pa.Array, stories: pa.Array) -> pa.Array:
    """What each seat was shown: the case, and from the second turn on what was said before."""
    case = turns["case_id"].combine_chunks()
    number = pc.utf8_slice_codeunits(case, len("dilemma-")).cast(pa.int64())
    before = pa.concat_arrays([pa.array([""]), said[:-1]])
    asked = pc.binary_join_element_wise(stories.take(number), before, "\n\n")
    contents = np.arange(2 * len(turns)) // 2
    both = pa.concat_arrays([pa.array([SYSTEM]), asked])
    content = both.take(np.where(np.arange(2 * len(turns)) % 2, contents + 1, 0))
    role = pa.array(["system", "user"]).take(np.arange(2 * len(turns)) % 2)
    offsets = np.arange(0, 2 * len(turns) + 1, 2, dtype=np.int32)
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays([role, content], ["role", "content"]))


def _replies(turns: pa.Table, said: pa.Array, shown: pa.Array) -> Columns:
    one, round = pa.repeat(1, len(turns)), turns["round"]
    verdict = pc.binary_join_element_wise("Verdict: ", turns["label"].combine_chunks(), "")
    return {
        **{name: turns[name] for name in ("round", "position", "seat")},
        "kind": pa.repeat("turn", len(turns)),
        "step": pc.subtract(round, 1),
        "slot": pc.subtract(turns["position"], 1),
        "messages": shown,
        "text": pc.binary_join_element_wise(verdict, said, "\n\n"),
        "sampling": pa.repeat(json.dumps({"temperature": 1.0}), len(turns)),
        "ask_seed": round,
        "seconds": pa.repeat(1.5, len(turns)),
        "attempts": one,
    }


def _endings(turns: pa.Table, first: Codes) -> Columns:
    """How debates ended whose turns begin at these rows."""
    seats = turns["n_seats"][0].as_py()
    last = np.concatenate([first[1:], [len(turns)]]) - seats
    rows = last[:, None] + np.arange(seats)
    names = turns["seat"].to_numpy()[rows]
    labels = np.take_along_axis(turns["label"].to_numpy()[rows], names.argsort(axis=1), axis=1)
    agreed = (labels == labels[:, :1]).all(axis=1)
    rounds = turns["round"].to_numpy()[last]
    flat = pa.array(labels.reshape(-1), pa.string())
    offsets = np.arange(0, len(flat) + 1, seats, dtype=np.int32)
    return {
        "outcome": pa.array(np.where(agreed, "consensus", "no_consensus")),
        "standing": pa.array(np.where(agreed, "agree", "disagree")),
        "consensus_label": pa.array(labels[:, 0], pa.string(), mask=~agreed),
        "consensus_round": pa.array(rounds, mask=~agreed),
        "final_labels": pa.ListArray.from_arrays(offsets, flat),
        "status": pa.repeat("finished", len(first)),
    }


def _hashed(ids: pa.ChunkedArray) -> pa.Array:
    """Ids as runs have them: in no order."""
    found = ids.combine_chunks().dictionary_encode()
    digests = [blake2b(id.encode(), digest_size=8).hexdigest() for id in found.dictionary.to_pylist()]
    return pa.array(digests).take(found.indices)


def _with(rows: pa.Table, table: str, columns: Columns) -> pa.Table:
    """The rows with these columns, under the table's schema; what neither has is null."""
    if "debate_id" in rows.column_names:
        numbers = pa.repeat("1-2-3"[: 2 * rows["n_seats"][0].as_py() - 1], len(rows))
        columns = {"debate_id": _hashed(rows["debate_id"]), "labels": numbers, **columns}
    arrays = [
        columns[field.name].cast(field.type)
        if field.name in columns
        else rows[field.name]
        if field.name in rows.column_names
        else pa.nulls(len(rows), field.type)
        for field in schema(table)
    ]
    return pa.table(arrays, schema=schema(table))
