"""What the index of a run counts up for its overview."""

from __future__ import annotations

from analysis.viewer.filters import OWN
from analysis.viewer.index import Index, Row

CELL = ("stage", "protocol", "variant", "panel", '"order"', "steering", "answer_format", "stance_swap")

SHOWN = 50
"""Failures that are listed; all are counted."""


def totals(index: Index) -> Row:
    """Debates, judgments, failures, cases, calls, tokens, and dollars (null where a call's are unknown)."""
    found = index.one(
        f"""
        select count(*) filter ({OWN}) as debates, count(*) filter (not ({OWN})) as judgments,
            count(distinct case_id) as cases, coalesce(sum(calls), 0) as calls,
            sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
            case when count(*) = count(cost_usd) then sum(cost_usd) end as cost_usd,
            (select count(distinct debate_id) from failures
             where debate_id not in (select debate_id from debates)) as failed
        from debates
        """
    )
    return found or {}


def cells(index: Index) -> list[Row]:
    """The conditions of the design: finished debates, cases, and how many ended in which outcome."""
    columns = ", ".join(CELL)
    return index.rows(
        f"""
        select {columns}, count(*) as finished, count(distinct case_id) as cases,
            count(*) filter (outcome = 'consensus') as consensus,
            count(*) filter (outcome = 'unreadable') as unreadable,
            avg(rounds) as rounds, count(*) filter (changed > 0) as changed, count(changed) as heard
        from debates where {OWN} group by {columns}
        order by stage <> 'debate', len(string_split(panel, '+')), {columns}
        """
    )


def readings(index: Index) -> list[Row]:
    """How many turns of finished debates have each status, most first."""
    return index.rows(
        f"""
        with turns as (select unnest(course).status as status from debates where {OWN})
        select status, count(*) as turns from turns group by status order by turns desc, status
        """
    )


def failures(index: Index) -> list[Row]:
    """What was given up and did not finish later: the last failure of each, by class of error."""
    return index.rows(
        """
        with last as (
            select * from failures where debate_id not in (select debate_id from debates)
            qualify row_number() over (partition by debate_id order by time desc) = 1
        )
        select *, count(*) over (partition by error_class) as alike from last
        order by alike desc, error_class, time desc, debate_id limit ?
        """,
        [SHOWN],
    )
