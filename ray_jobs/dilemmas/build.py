"""`moot dilemmas build`: from dumps to cases, in one pass over submissions and one over comments."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from rich.console import Console

from ray_jobs.dilemmas import comments, submissions
from ray_jobs.dilemmas.comments import UNREAD, read_comment
from ray_jobs.dilemmas.fields import Unusable, text
from ray_jobs.dilemmas.files import write_cases, write_report, write_unread
from ray_jobs.dilemmas.judged import NOTHING, judged
from ray_jobs.dilemmas.lines import Placed, json_rows
from ray_jobs.dilemmas.page import report_page
from ray_jobs.dilemmas.parquet_rows import parquet_rows
from ray_jobs.dilemmas.posts import PostFile
from ray_jobs.dilemmas.report import Report, report_of
from ray_jobs.dilemmas.request import Request
from ray_jobs.dilemmas.selection import cases_of, posts_table
from ray_jobs.dilemmas.submissions import read_post
from ray_jobs.dilemmas.tally import OTHER_SUBREDDIT, Tally
from ray_jobs.dilemmas.unread import UnreadFile
from ray_jobs.dilemmas.votes import VoteFile
from ray_jobs.located import ExperimentError
from ray_jobs.whole_folder import whole_folder


def build(request: Request, console: Console) -> Report:
    """Writes cases, the table of posts and the report to the folder of the request, and prints the report.

    Raises `ExperimentError` for a request that cannot be met, and, after the report is written, where no
    post can be a case.
    """
    request.check()
    heard = judged(request.judged) if request.judged else NOTHING
    of_posts, of_comments = Tally(), Tally()
    with whole_folder(request.out) as out:
        with TemporaryDirectory(dir=out) as folder:
            aside = Path(folder)
            waiting = UnreadFile(aside, heard, request.unread)
            with PostFile(aside) as posts, VoteFile(aside) as votes, waiting as unread:
                read_posts(request, posts, of_posts, console)
                read_votes(request, posts, votes, unread, of_comments, console)
                totals = votes.totals(posts.copies)
                table = posts_table(posts, totals, request)
                cases = cases_of(posts, table, request.subreddit)
                report = report_of(request, of_posts, of_comments, posts.again, totals, table)
                if request.unread:
                    questions = unread.questions(_by_number(posts, cases), totals.unread, request.subreddit)
                    report = replace(report, unread=write_unread(out, questions))
        write_cases(out, table, cases)
        write_report(out, report)
    console.print(report_page(report, request.out), highlight=False)
    if not cases.num_rows:
        raise ExperimentError(f"{request.out}: found no post that can be a case; the counts say why")
    return report


def read_posts(request: Request, posts: PostFile, tally: Tally, console: Console) -> None:
    """Reads all submissions of the request into `posts`."""
    for place, row in rows(request.submissions, request.subreddit, submissions.COLUMNS, tally, console):
        try:
            posts.add(read_post(row, request.bounds))
        except Unusable as error:
            tally.unreadable(error.reason, place, error.found)
    posts.end()


def _by_number(posts: PostFile, cases: pa.Table) -> dict[int, tuple[str, str]]:
    """Ids and titles of the cases by the number of their post."""
    numbers = posts.kept()
    return {numbers[int(row["id"], 36)]: (row["id"], row["title"]) for row in cases.to_pylist()}


def read_votes(
    request: Request,
    posts: PostFile,
    votes: VoteFile,
    unread: UnreadFile,
    tally: Tally,
    console: Console,
) -> None:
    """Reads all comments of the request on posts that are kept into `votes`; where words give no verdict, it
    is the one of judges, or the comment waits for them in `unread`.
    """
    kept = posts.kept()
    for place, row in rows(request.comments, request.subreddit, comments.COLUMNS, tally, console):
        try:
            vote = read_comment(row, kept, posts.authors)
        except Unusable as error:
            tally.unreadable(error.reason, place, error.found)
            continue
        if isinstance(vote, str):
            tally.left_out[vote] += 1
        else:
            unclear = vote.outcome in UNREAD
            votes.add(unread.judged(vote, row, posts.authors[vote.post]) if unclear else vote)


def rows(
    files: Collection[Path], subreddit: str, columns: Collection[str], tally: Tally, console: Console
) -> Iterator[Placed]:
    """The rows of the subreddit in all files, one after another; all others are counted."""
    name = subreddit.lower()
    for file in files:
        before = tally.lines
        if file.suffix.lower() == ".parquet":
            found = parquet_rows(file, subreddit, columns, tally)
        else:
            found = json_rows(file, subreddit, tally)
        for place, row in found:
            try:
                if text(row, "subreddit").lower() == name:
                    yield place, row
                else:
                    tally.left_out[OTHER_SUBREDDIT] += 1
            except Unusable as error:
                tally.unreadable(error.reason, place, error.found)
        console.print(
            f"{file}: {tally.lines - before:,} lines", highlight=False, soft_wrap=True, markup=False
        )
