"""One source on trial, in a process of its own: `python -m protocols.laws.watched < ORDER`, both in JSON.

The order holds file, text, name, params and sizes; the answer what was found, the golden script, and the
digests of every debate, to be compared with those of another process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from itertools import product
from typing import Any

from protocols.laws.golden import script
from protocols.laws.replies import SCRIPTS
from protocols.laws.trial import Finding, Panel, Trial, once, panels
from protocols.laws.watch import Watch
from protocols.own.module import imported
from protocols.own.played import ProtocolError
from protocols.own.source import SEP, Source, SourceError

SHOWN = "converging"
"""The script of the debate that is shown word for word."""


def tried(order: Mapping[str, Any]) -> dict[str, Any]:
    """What was found of the protocol that the order names."""
    source = Source(order["file"], order["text"])
    watch = Watch(source)
    trial = Trial(f"{order['name']}{SEP}{source.hash}", order["params"], order["rounds"])
    games = list(product(panels(order["sizes"]), SCRIPTS))
    found: list[Finding] = []
    digests: dict[str, list[str]] = {}
    try:
        with watch.watching():
            imported(source)
            for panel, name in games[:: len(SCRIPTS) + 1]:
                trial.game(panel, name)
        for panel, name in games:
            broken, digests[f"{panel}, {name}"] = trial.tried(panel, name)
            found += broken
    except SourceError as error:
        found.append(Finding("source", "", str(error)))
    except ProtocolError as error:
        found.append(Finding("plays", "", str(error)))
    shown = Panel(order["sizes"][0], False, "text", 0)
    return {
        "found": [*(Finding("pure", "", each) for each in watch.seen), *once(found)],
        "digests": digests,
        "script": _script(trial, shown) if len(digests) == len(games) else "",
    }


def _script(trial: Trial, panel: Panel) -> str:
    heading = f"{trial.name}, {panel}. Each ask shows what its seat was not shown before."
    return script(heading, panel.case(trial.rounds), trial.game(panel, SHOWN))


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed is no answer
    json.dump(tried(json.load(sys.stdin)), answers)
