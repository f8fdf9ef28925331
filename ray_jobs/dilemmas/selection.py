"""The table of all posts, and the most contested of them as cases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from protocols.answer_format import VERDICTS
from ray_jobs.contestation import entropy, shares
from ray_jobs.dilemmas.comments import GONE, NONE, SEVERAL
from ray_jobs.dilemmas.posts import PostFile
from ray_jobs.dilemmas.request import Request
from ray_jobs.dilemmas.submissions import KEPT
from ray_jobs.dilemmas.votes import Totals

CHOSEN, FEW, LESS = "chosen", "too few verdicts", "less contested"
"""What becomes of a post that no filter left out."""

SHARES = tuple(f"{kind}_{verdict}" for kind in ("share", "weighted") for verdict in VERDICTS)
ORDER = [("contestation", "descending"), ("id", "ascending")]
ON_POSTS = ("id", "created", "score", "comments", "flair", "edited", "words", "why")


def posts_table(posts: PostFile, totals: Totals, request: Request) -> pa.Table:
    """Every post of the subreddit once, without title and text, by id: its verdicts, and `why`.

    `why` is a reason of `submissions.REASONS`, or for a kept post `chosen`, `too few verdicts` or `less
    contested`. Shares are of the verdicts, weighted shares of their scores, `contestation` is the entropy of
    the shares in bits; all are null without a verdict.
    """
    parts = [_counted(table.select(ON_POSTS), rows, totals) for rows, table in posts.read()]
    table = pa.concat_tables(parts).sort_by("id")
    enough = pc.greater_equal(table["n_verdicts"], request.verdicts)
    kept = pc.equal(table["why"], KEPT)
    eligible = table.filter(pc.and_(kept, enough)).sort_by(ORDER)
    chosen = pc.is_in(table["id"], value_set=eligible["id"].combine_chunks()[: request.top])
    fate = pc.case_when(pc.make_struct(chosen, enough), CHOSEN, LESS, FEW)
    why = pc.if_else(kept, fate, table["why"])
    return table.set_column(table.schema.get_field_index("why"), "why", why)


def cases_of(posts: PostFile, table: pa.Table, subreddit: str) -> pa.Table:
    """The chosen posts as cases, the most contested first, ties by id."""
    chosen = table.filter(pc.equal(table["why"], CHOSEN))
    ids = chosen["id"].combine_chunks()
    texts = pa.concat_tables(
        part.select(("id", "title", "text")).filter(pc.is_in(part["id"], value_set=ids))
        for _, part in posts.read()
    )
    cases = texts.join(chosen, "id").sort_by(ORDER)
    source = pa.array([f"r/{subreddit}"] * cases.num_rows, pa.string())
    cases = cases.append_column("source", source)
    return cases.select(("id", "title", "text", "source", "contestation", "n_verdicts", "n_judged", *SHARES))


def _counted(table: pa.Table, rows: list[int], totals: Totals) -> pa.Table:
    at = np.array(rows, np.int64)
    counts, weights = totals.counts[at], totals.weights[at]
    verdicts = counts[:, : len(VERDICTS)]
    figures = {
        "n_verdicts": verdicts.sum(axis=1),
        "n_no_verdict": counts[:, NONE],
        "n_several_verdicts": counts[:, SEVERAL],
        "n_gone": counts[:, GONE],
        "n_judged": totals.judged[at],
        "contestation": entropy(verdicts),
    }
    both = np.hstack([shares(verdicts), shares(weights)])
    figures |= {name: both[:, column] for column, name in enumerate(SHARES)}
    for name, column in figures.items():
        table = table.append_column(name, pa.array(column, from_pandas=True))
    return table
