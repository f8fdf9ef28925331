"""moot import interaction-protocol: every measure of the run is what the raw lists of the files say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import combinations
from pathlib import Path

import pandas as pd
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from analysis import bootstrap
from analysis.measures.catalogue import verdict_measures
from analysis.report import run as report_of_a_run
from analysis.summary import summarise
from analysis.values import means, noise
from analysis.values.measure import Choices, measure_values
from analysis.values.places import read_labels
from analysis.values.telling import Told
from protocols.answer_format import VERDICTS
from ray_jobs.claims import earlier_claims
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished
from tests.ray_jobs.published.files import MODELS, ROUNDS, Debate, study_files, write_study
from tests.ray_jobs.test_cli import moot, refused

pytestmark = pytest.mark.long

DEBATES = 8
Study = Mapping[str, list[Debate]]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Study]:
    """The folder of a published study, and what is in its files."""
    folder = tmp_path_factory.mktemp("published")
    return folder, write_study(folder, DEBATES)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, study: tuple[Path, Study]) -> Path:
    """The study as a run."""
    out = tmp_path_factory.mktemp("imported") / "run"
    told = moot("import", "interaction-protocol", study[0], "--out", out)
    assert told.exit_code == 0, told.output
    assert f"{out}: {15 * DEBATES} debates with" in told.stdout
    return out


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures of few draws, and no Ray."""
    for module in (bootstrap, means, noise):
        monkeypatch.setattr(module, "DRAWS", 50)
    monkeypatch.delattr("ray_jobs.connection.ray.init")


def cell(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The rows of an estimate that are of the debates in one file."""
    models = dict(study_files())[name]
    protocol = "synchronous" if name.startswith("sync") else "round_robin"
    spoken = [
        "+".join(panel[int(seat) - 1] for seat in order.split("-"))
        for panel, order in zip(frame["panel"].str.split("+"), frame["order"], strict=True)
    ]
    return frame[(frame["protocol"] == protocol) & (pd.Series(spoken, frame.index) == "+".join(models))]


def first_consensus(debate: Debate) -> int | None:
    said = ({turn.label for turn in turns} for turns in debate)
    return next((at for at, each in enumerate(said, 1) if len(each) == 1 and None not in each), None)


def test_consensus_by_round_is_what_the_lists_say(run: Path, study: tuple[Path, Study]) -> None:
    found = summarise(run).consensus
    for name, debates in study[1].items():
        expected = Counter(map(first_consensus, debates))
        rows = cell(found, name)
        assert set(rows["denominator"]) == {DEBATES}
        rounds = [None if pd.isna(at) else int(at) for at in rows["round"]]
        assert rounds == [1, 2, 3, ROUNDS, None]
        assert rows["numerator"].tolist() == [expected[at] for at in rounds], name


def test_changes_and_first_verdicts_are_what_the_lists_say(run: Path, study: tuple[Path, Study]) -> None:
    found = summarise(run)
    for name, models in study_files():
        for agent, model in enumerate(models):
            own = [[turns[agent].label for turns in debate] for debate in study[1][name]]
            begun = [labels for labels in own if labels[0]]
            changed = [any(label and label != labels[0] for label in labels) for labels in begun]
            rows = cell(found.change, name).query(
                f"model == '{model}' and level == 'seat' and among == 'all' and event == 'changed'"
            )
            assert (rows["numerator"].item(), rows["denominator"].item()) == (sum(changed), len(begun))
            first = cell(found.verdicts, name).query(f"model == '{model}' and when == 'round 1'")
            counted = Counter(labels[0] for labels in begun)
            assert dict(zip(first["verdict"], first["numerator"], strict=True)) == {
                verdict: counted[verdict] for verdict in first["verdict"]
            }
            assert set(counted) <= set(first["verdict"]) <= set(VERDICTS)


def test_all_measures_have_something_to_say(run: Path) -> None:
    """Of verdicts but for those that need solo debates or several steerings, and all of values."""
    found = verdict_measures(run)
    silent = {name for name, frame in found.items() if frame.empty}
    assert silent == {"alone", "matched_verdicts", "solo", "steering_change", "steering_consensus"}
    [values] = measure_values(run, read_labels(run), Choices(by=("protocol",)))
    told = {field.name: getattr(values, field.name) for field in fields(values)}
    frames = {name: each.frame for name, each in told.items() if isinstance(each, Told)}
    assert {name for name, frame in frames.items() if frame.empty} == {"steering"}


def similar(debates: list[Debate]) -> Iterator[tuple[str, float]]:
    """The Jaccard index of each round of two readable verdicts, by whether these agree."""
    for turns in (turns for debate in debates for turns in debate):
        for one, other in combinations(turns, 2):
            either = set(one.values) | set(other.values)
            if one.label and other.label and either:
                agree = "agreement" if one.label == other.label else "disagreement"
                yield agree, len(set(one.values) & set(other.values)) / len(either)


def test_values_are_used_and_shared_as_the_lists_say(run: Path, study: tuple[Path, Study]) -> None:
    labels = read_labels(run)
    [found] = measure_values(run, labels, Choices(by=("protocol", "panel", "order")))
    turns = sum(len(turns) for debates in study[1].values() for debate in debates for turns in debate)
    assert found.notes == []
    assert found.labels[["judge", "labels"]].to_numpy().tolist() == [["published", turns]]
    for name, models in study_files():
        if len(models) > 2:
            continue
        told = cell(found.similarity.frame, name).query("kind == 'jaccard'").set_index("within")["estimate"]
        pairs = list(similar(study[1][name]))
        for agree in told.index:
            own = [index for kind, index in pairs if kind == agree]
            assert told[agree] == pytest.approx(sum(own) / len(own)), name
        said = [set(turns[0].values) for debate in study[1][name] for turns in debate]
        used = cell(found.use.frame, name).query(f"model == '{models[0]}'").set_index("value")["estimate"]
        assert {value: used.get(value, 0.0) for value in set().union(*said)} == pytest.approx(
            {value: sum(value in one for one in said) / len(said) for value in set().union(*said)}
        )


def test_differences_are_listed(run: Path, study: tuple[Path, Study]) -> None:
    found = pq.read_table(run / "published/differences.parquet").to_pandas()
    misread = found[(found["kind"] == "misread") & found["round"].notna()]
    expected = [
        (f"{name}.parquet", row, at, turn.published, turn.label)
        for name, debates in study[1].items()
        for row, debate in enumerate(debates, start=1)
        for at, turns in enumerate(debate, start=1)
        for turn in turns
        if turn.published != turn.label
    ]
    told = misread[["file", "row", "round", "published", "read"]].itertuples(index=False, name=None)
    assert sorted(told) == sorted(expected)
    early = [
        debate
        for debates in study[1].values()
        for debate in debates
        if len(debate) < ROUNDS and first_consensus([debate[-1]]) is None
    ]
    assert len(early) == (found["kind"] == "ended early").sum() > 0


def test_the_tables_hold_what_was_published(run: Path, study: tuple[Path, Study]) -> None:
    debates = ds.dataset(run / "tables/debates").to_table().to_pandas()
    assert set(debates["standing"]) == {"agree", "disagree", "unreadable"}
    assert len(debates) == 15 * DEBATES == debates["debate_id"].nunique()
    replies = ds.dataset(run / "tables/replies").to_table().to_pandas()
    texts = Counter(
        turn.text for debates in study[1].values() for debate in debates for turns in debate for turn in turns
    )
    assert Counter(replies["text"]) == texts
    assert set(zip(replies["model"], replies["model_answered"], strict=True)) == set(MODELS.items())
    assert list(unfinished(Store(str(run)))) == []
    [claim] = earlier_claims(Store(str(run)))
    assert claim.frozen["models"]["gpt"]["model"] == "GPT-4.1"


def test_all_commands_work_on_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_of_a_run.report, "__defaults__", ((),))
    one, other = tmp_path / "one", tmp_path / "other"
    for seed, run in enumerate((one, other), start=1):
        files = tmp_path / f"files {seed}"
        write_study(files, 5, seed, texts=seed == 1, holding="gpt_vs_cla")
        assert moot("import", "interaction-protocol", files, "--out", run).exit_code == 0
    for words in (("show", one), ("fit", one), ("report", one), ("report", other), ("compare", one, other)):
        told = moot(*words)
        assert told.exit_code == 0, told.output
    debate = ds.dataset(one / "tables/debates").to_table().to_pylist()[0]["debate_id"]
    assert "Dilemma " in moot("show", one, debate).stdout
    assert "is finished" in moot("status", one).stdout
    page = (one / "report.html").read_text("utf-8")
    assert "was published by others and imported" in page
    assert "simulation" not in page


def test_its_models_cannot_be_asked(run: Path, tmp_path: Path, study: tuple[Path, Study]) -> None:
    text = (run / "experiment.yaml").read_text().replace(f"file: {study[0]}", "file: cases.jsonl")
    (tmp_path / "study.yaml").write_text(text)
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "text": "b"}\n')
    refused(
        moot("run", tmp_path / "study.yaml", "--out", tmp_path / "run"),
        "models.gpt.backend: found 'published'",
        "allowed: a backend that answers",
    )
