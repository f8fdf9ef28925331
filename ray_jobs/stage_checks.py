"""What must hold for the stages of an experiment, beyond the shape of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from inspect import signature

from protocols import PROTOCOLS
from protocols.own.structure import is_known, is_own, structure
from protocols.sections import ALONE, ARGUING
from ray_jobs.checks import entry_problems, parameters, seat_problems, steering_problems
from ray_jobs.design_block import Product, ProtocolEntry
from ray_jobs.located import KeyPath, Problem, one_of
from ray_jobs.stage_block import DEBATES, Judges, StageBlock

KINDS = ("labels", "judges", "protocols")
GOES_ON = "one that goes on, def NAME(case, *, rounds=4, transcript=Transcript())"
MOST_CROSSED = 4  # seats of which every order of display is a cell


def stage_problems(
    stages: Sequence[StageBlock], products: Sequence[Product], models: Collection[str], rounds: int
) -> Iterator[Problem]:
    """What is wrong with the stages; `rounds` is the most of a protocol that does not say."""
    played = [_rounds(entry, each.rounds, 0) for each in products for entry in each.protocols]
    sources = {DEBATES: max(played)}
    names = [DEBATES]
    for at, stage in enumerate(stages):
        path = ("stages", at)
        if stage.name in names:
            yield Problem(
                (*path, "name"), f"'{stage.name}', which is taken", f"a name for every stage, not {DEBATES}"
            )
        names.append(stage.name)
        if stage.source not in sources:
            allowed = f"an earlier stage with protocols: {one_of(sources, stage.source)}"
            yield Problem((*path, "from"), f"'{stage.source}'", allowed)
        given = [kind for kind in KINDS if getattr(stage, kind) is not None]
        if len(given) != 1:
            found = " beside ".join(given) or "neither protocols nor judges nor labels"
            yield Problem(path, found, "one of protocols, judges and labels")
        elif stage.protocols is None:
            yield from _assessing_problems(path, stage, products, models)
            for key, idle in (("steering", None), ("stance_swap", False)):
                if getattr(stage, key) != idle:
                    yield Problem((*path, key), f"{key} beside {given[0]}", f"{key} for protocols alone")
        elif stage.source in sources:
            before = sources[stage.source]
            played = [_rounds(entry, stage.rounds or rounds, before) for entry in stage.protocols or ()]
            yield from _onward_problems(path, stage, played, before, models)
            yield from _seat_problems(
                path, stage, list({panel for each in products for panel in each.panels})
            )
            sources[stage.name] = max(played)


def _assessing_problems(
    path: KeyPath, stage: StageBlock, products: Sequence[Product], models: Collection[str]
) -> Iterator[Problem]:
    """What is wrong with a stage of judges or labels."""
    kind, block = ("judges", stage.judges) if stage.judges else ("labels", stage.labels)
    if stage.rounds is not None:
        yield Problem((*path, "rounds"), f"rounds beside {kind}", "rounds for protocols alone")
    for at, model in enumerate(block.models if block else ()):
        if model not in models:
            place = (*path, kind, "models", at)
            yield Problem(place, f"the unknown model '{model}'", one_of(models, model))
    if stage.judges:
        yield from _display_problems((*path, "judges"), stage.judges, products)
        if stage.judges.sees == "nothing" and stage.judges.answers == "winner":
            found = "'winner' of judges who see nothing of what was said (sees: nothing)"
            allowed = "option, or sees: transcript or positions, so that there is somebody to be right"
            yield Problem((*path, "judges", "answers"), found, allowed)


def _display_problems(path: KeyPath, judges: Judges, products: Sequence[Product]) -> Iterator[Problem]:
    sizes = sorted({len(panel) for each in products for panel in each.panels})
    if judges.display == "crossed" and (len(sizes) > 1 or sizes[0] > MOST_CROSSED):
        found = f"'crossed' for panels of {', '.join(map(str, sizes))} seats"
        allowed = f"crossed where all panels have the same number of seats, at most {MOST_CROSSED}"
        yield Problem((*path, "display"), found, allowed)


def _onward_problems(
    path: KeyPath, stage: StageBlock, played: Sequence[int], before: int, models: Collection[str]
) -> Iterator[Problem]:
    lasting = [name for name in PROTOCOLS if name not in ALONE]
    own = [entry.name for entry in stage.protocols or () if is_own(entry.name) and _goes_on(entry.name)]
    onward = [name for name in (*lasting, *own) if {"rounds", "turns"} & {*parameters(name)}]
    for at, (entry, rounds) in enumerate(zip(stage.protocols or (), played, strict=True)):
        place = (*path, "protocols", at)
        if is_own(entry.name) and entry.name not in onward:
            yield Problem(place, f"{entry.name}, which begins anew", GOES_ON)
            continue
        wrong = list(entry_problems(place, entry, onward, [], models))
        yield from wrong
        if not wrong and rounds <= before:
            allowed = f"more than the {before} that may lie behind a debate of '{stage.source}'"
            yield Problem(place, f"{rounds} rounds in all", f"{allowed}; give it rounds")


def _seat_problems(path: KeyPath, stage: StageBlock, panels: list[tuple[str, ...]]) -> Iterator[Problem]:
    for at, entry in enumerate(stage.protocols or ()):
        yield from seat_problems((*path, "protocols", at), entry, panels)
    sizes = sorted({len(panel) for panel in panels})
    arguing = [entry.name for entry in stage.protocols or () if entry.name in ARGUING]
    if stage.stance_swap and arguing and sizes[0] == 1 < sizes[-1]:
        found = f"{str(stage.stance_swap).lower()} for panels of {' and '.join(map(str, sizes))} seats"
        allowed = "false; or only panels of two seats or more, as one alone has nobody to exchange with"
        yield Problem((*path, "stance_swap"), found, allowed)
    for at, variant in enumerate(stage.steering or ()):
        yield from steering_problems((*path, "steering", at), variant, sorted(panels))


def _rounds(entry: ProtocolEntry, otherwise: int, before: int) -> int:
    """The most rounds that there are after a protocol.

    One that begins with openings has its turns after the rounds `before`, or one of openings; one that
    knows neither rounds nor turns, or is unknown itself, has one.
    """
    known = parameters(entry.name) if is_known(entry.name) else {}
    if "turns" in known:
        turns = entry.params.get("turns", known["turns"].default)
        return max(1, before) + (turns if type(turns) is int else 1)
    if "rounds" not in known:
        return 1
    given = entry.params.get("rounds")
    return given if type(given) is int else otherwise


def _goes_on(protocol: str) -> bool:
    """Whether a protocol takes what was said in the debate before it."""
    return "transcript" in signature(structure(protocol)).parameters
