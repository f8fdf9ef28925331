"""Another run, whose replies stand for those to the very same questions of this one."""

from __future__ import annotations

from itertools import chain

from protocols.dialogue import Reply
from ray_jobs.archive import Archive
from ray_jobs.open_log import OpenLog
from ray_jobs.rows import record
from ray_jobs.store import Store


class Elsewhere:
    """The replies of a run, of its finished debates and of those that were open when it stopped."""

    def __init__(self, run: str) -> None:
        store = Store(run)
        self._archive, self._log = Archive(store), OpenLog(store)

    def replies(self, debate_id: str) -> dict[str, Reply]:
        """What was answered there in the debate of this id, by the fingerprint of the question.

        None of an imported run, of which it is not known what was asked.
        """
        rows = chain(self._log.rows(debate_id), self._archive.rows(debate_id))
        return {row["fingerprint"]: record(row).reply for row in rows if row["fingerprint"]}
