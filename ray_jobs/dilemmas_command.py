"""The command `moot dilemmas build` and its options."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ray_jobs.command_line import console, told

MOST = 10**9

Submissions = Annotated[
    list[Path],
    typer.Option(
        metavar="FILE",
        help="A dump of submissions: zst, ndjson or Parquet, or a folder of them; again for more.",
    ),
]
Comments = Annotated[
    list[Path], typer.Option(metavar="FILE", help="A dump of comments, or a folder of them; again for more.")
]
Subreddit = Annotated[str, typer.Option(metavar="NAME", help="Its name without r/.")]
First = Annotated[
    datetime,
    typer.Option("--from", metavar="YYYY-MM-DD", formats=["%Y-%m-%d"], help="The first day of posts, UTC."),
]
Last = Annotated[
    datetime,
    typer.Option("--to", metavar="YYYY-MM-DD", formats=["%Y-%m-%d"], help="The last day of posts, UTC."),
]
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="A new or an empty folder.")]
Top = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST, help="How many of the most contested become cases.")
]
Words = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST, help="A post with fewer words is too short.")
]
Verdicts = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST, help="A post with fewer verdicts is no case.")
]

Judged = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="A run in which judges read the comments that an earlier build wrote."),
]
Unread = Annotated[
    bool, typer.Option("--unread", help="Write comments without one verdict in words for a run of judges.")
]


def add_commands(app: typer.Typer) -> None:
    """Adds `moot dilemmas build`."""
    dilemmas = typer.Typer(no_args_is_help=True)
    dilemmas.command()(build)
    app.add_typer(dilemmas, name="dilemmas", help="Dilemmas from dumps of Reddit, as cases of a study.")


def build(
    submissions: Submissions,
    comments: Comments,
    subreddit: Subreddit,
    first: First,
    last: Last,
    out: Folder,
    top: Top = 1000,
    words: Words = 50,
    verdicts: Verdicts = 10,
    judged: Judged = None,
    unread: Unread = False,
) -> None:
    """Choose the posts that divide a subreddit most by its members' verdicts, and write them as cases."""
    with told():
        from ray_jobs.dilemmas.build import build as build_dilemmas
        from ray_jobs.dilemmas.request import Request, dumps

        request = Request(
            submissions=dumps(submissions),
            comments=dumps(comments),
            subreddit=subreddit,
            first=first.date(),
            last=last.date(),
            top=top,
            out=out,
            words=words,
            verdicts=verdicts,
            judged=judged,
            unread=unread,
        )
        build_dilemmas(request, console())
