"""The tables of the index, and how the turns of a debate become columns of its row."""

from __future__ import annotations

DEBATE_COLUMNS = {
    "debates": (
        *("debate_id", "case_id", "stage", "protocol", "variant", "panel", "order", "n_seats", "steering"),
        *("answer_format", "labels", "stance_swap", "listing", "planted", "repetition", "seed"),
        *("source_debate", "rounds", "outcome", "standing", "consensus_label", "consensus_round"),
        *("final_labels", "exit_mode", "calls", "prompt_tokens", "completion_tokens", "cost_usd"),
    ),
    "cases": ("case_id", "title", "options", "truth"),
    "failures": (
        *("debate_id", "case_id", "stage", "protocol", "panel", "order", "repetition", "error_class"),
        *("message", "seat", "attempts", "time"),
    ),
}
"""What of each table the index holds."""

TURN_COLUMNS = ("debate_id", "round", "seat", "label", "status", "stance", "violation")

_TYPES = {
    **dict.fromkeys(("n_seats", "repetition", "seed", "rounds", "consensus_round"), "bigint"),
    **dict.fromkeys(("calls", "prompt_tokens", "completion_tokens", "attempts"), "bigint"),
    **dict.fromkeys(("final_labels", "options"), "varchar[]"),
    "stance_swap": "boolean",
    "cost_usd": "double",
    "time": "timestamptz",
}

COURSE = "struct(round integer, seat varchar, label varchar, status varchar, argued boolean)[]"

HEARD = {
    "course": COURSE,
    "changed": "integer",
    "ended_changed": "integer",
    "violations": "integer",
}
"""Columns that follow from the turns of a debate, null before they have been read.

`course` has every turn, in any order; `argued` says that its label is the stance given to the seat, which is
no verdict of its own. `changed` counts the seats of which a later readable verdict differs from that of
round 1, `ended_changed` those of which the last one does.
"""


def _table(name: str, columns: dict[str, str]) -> str:
    told = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
    return f"create table {name} ({told})"


TABLES = (
    *(
        _table(
            name,
            {
                **{column: _TYPES.get(column, "varchar") for column in columns},
                "part": "varchar",
                **(HEARD if name == "debates" else {}),
            },
        )
        for name, columns in DEBATE_COLUMNS.items()
    ),
    _table("said", {"debate_id": "varchar", "part": "varchar", **HEARD}),
)

SAID = """
with turns as (
    select debate_id, part, round, seat, status, violation, stance is not null as argued,
        coalesce(stance, label) as label, case when stance is null then label end as verdict
    from new
), seats as (
    select debate_id, part, seat, max(verdict) filter (round = 1) as first, min(verdict) as low,
        max(verdict) as high, arg_max(verdict, round) filter (verdict is not null) as last
    from turns group by all
), moved as (
    select debate_id, part,
        count(*) filter (first is not null and low <> high) as changed,
        count(*) filter (first is not null and last <> first) as ended_changed
    from seats group by all
), courses as (
    select debate_id, part, count(violation)::integer as violations,
        list({'round': round::integer, 'seat': seat, 'label': label, 'status': status, 'argued': argued})
            as course
    from turns group by all
)
select debate_id, part, course, changed, ended_changed, violations
from courses join moved using (debate_id, part)
"""

COURSES = """
update debates set course = each.course, changed = each.changed, ended_changed = each.ended_changed,
    violations = each.violations
from (select * from said qualify row_number() over (partition by debate_id order by part desc) = 1) each
where debates.debate_id = each.debate_id and debates.course is null;
delete from said where debate_id in (select debate_id from debates)
"""
