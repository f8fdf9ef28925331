"""A run of a million turns that has all that the viewer reads: the published design with texts made up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analysis.schema import schema
from benchmarks.published import DILEMMAS, write_published

REPETITIONS = 18
SENTENCES, WORDS = 4_000, 3_000
RARE = "quixotic"
"""A word that stands in a few turns only, spread over the run."""

GROUP = 8_192  # rows of a row group, about as many as a run writes


def write_run(run: Path, repetitions: int = REPETITIONS) -> int:
    """Writes the tables; returns how many turns there are."""
    turns = write_published(run, repetitions)
    chance = np.random.default_rng(11)
    sentences = _sentences(chance)
    for path in sorted((run / "tables" / "turns").iterdir()):
        _dress(run, path.name, sentences, chance)
    _cases(run, sentences, chance)
    return turns


def _dress(run: Path, name: str, sentences: pa.Array, chance: np.random.Generator) -> None:
    """Gives texts to the turns of a part and to their replies, which stand in the same order."""
    path = run / "tables" / "turns" / name
    turns = pq.read_table(path)
    said = _texts(sentences, len(turns), 3, chance)
    rare = pa.array(chance.random(len(turns)) < 2e-4)
    said = pc.if_else(rare, pc.binary_join_element_wise(said, RARE, " "), said)
    dressed = _with(turns, "turns", explanation=said, shown=said, crux=None)
    pq.write_table(dressed, path, compression="zstd", row_group_size=GROUP)
    path = run / "tables" / "replies" / name
    count = np.arange(len(turns), dtype=np.int32)
    own = {column: turns[column] for column in ("round", "position", "seat", "model")}
    asked = {"kind": pa.repeat("turn", len(turns)), "step": count % 8, "slot": count % 3, "text": said}
    messages = _messages(sentences, len(turns), chance)
    replies = _with(pq.read_table(path), "replies", messages=messages, **own, **asked)
    pq.write_table(replies, path, compression="zstd", row_group_size=GROUP)


def _messages(sentences: pa.Array, count: int, chance: np.random.Generator) -> pa.Array:
    """Two messages each: about 2,000 signs."""
    contents = pa.concat_arrays(
        [
            _texts(sentences, count, 6, chance).combine_chunks(),
            _texts(sentences, count, 14, chance).combine_chunks(),
        ]
    )
    order = np.arange(2 * count).reshape(2, count).T.reshape(-1)
    roles = pa.array(["system", "user"]).take(pa.array(np.tile([0, 1], count)))
    both = pa.StructArray.from_arrays([roles, contents.take(pa.array(order))], ["role", "content"])
    return pa.ListArray.from_arrays(pa.array(np.arange(0, 2 * count + 1, 2, dtype=np.int32)), both)


def _cases(run: Path, sentences: pa.Array, chance: np.random.Generator) -> None:
    rows = [
        {"case_id": f"dilemma-{n:04}", "title": f"Dilemma {n}", "text": text}
        for n, text in enumerate(_texts(sentences, DILEMMAS, 12, chance).to_pylist())
    ]
    folder = run / "tables" / "cases"
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist(rows, schema("cases")), folder / "00000-a.parquet")


def _texts(sentences: pa.Array, count: int, each: int, chance: np.random.Generator) -> pa.ChunkedArray:
    chosen = [
        pa.chunked_array([sentences.take(pa.array(own))])
        for own in chance.integers(0, SENTENCES, (each, count))
    ]
    return pc.binary_join_element_wise(*chosen, " ")


def _sentences(chance: np.random.Generator) -> pa.Array:
    letters = np.array(list("etaoinshrdlu"))
    words = ["".join(chance.choice(letters, size)) for size in chance.integers(2, 10, WORDS)]
    return pa.array([" ".join(chance.choice(words, 16)) + "." for _ in range(SENTENCES)])


def _with(table: pa.Table, name: str, **columns: object) -> pa.Table:
    """The table with other columns."""
    for column, values in columns.items():
        field = schema(name).field(column)
        made = pa.nulls(len(table), field.type) if values is None else values
        array = made if isinstance(made, pa.ChunkedArray) else pa.chunked_array([pa.array(made)])
        table = table.set_column(table.column_names.index(column), field, array.cast(field.type))
    return table
