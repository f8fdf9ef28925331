"""What a plan is to cost and how long it is to take; budgets and prices in the experiment file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ray_jobs.cases import CaseRow
from ray_jobs.differences import differences
from ray_jobs.estimate import Estimate, estimate
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.forecast import Forecast, Span, above_limits, forecasts, short_of, total_cost, total_hours
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.plan_cost import cost_page
from ray_jobs.preflight import preflight
from tests.ray_jobs.moot_runs import write_study
from tests.ray_jobs.studies import study

REMOTE = {"backend": "openai", "model": "m", "base_url": "https://host.example/v1", "max_tokens": 100}
PRICE = {"input": 1.0, "output": 3.0}
ROWS = [CaseRow("x", "A title.", "word " * 90)]


def of(block: dict[str, Any], **keys: Any) -> tuple[Experiment, Estimate]:
    """A thousand debates of one seat, 1,000 calls in all, and their figures."""
    models = {"r": block if "backend" in block else {**REMOTE, **block}, "unused": {"backend": "simulated"}}
    experiment = study(models=models, panels=[["r"]], protocols=["solo"], repetitions=1000, **keys)
    return experiment, estimate(experiment, Plan(experiment, ["x"]), ROWS)


def forecast(**block: Any) -> Forecast:
    [found] = forecasts(*of(block))
    return found


def test_dollars_are_tokens_times_their_price() -> None:
    """The prompts as estimated; replies from one token to max_tokens."""
    [figures, _] = of({"price": PRICE})[1].models
    prompts = figures.prompt_tokens.least / 1e6
    assert forecast(price=PRICE).cost == Span(
        pytest.approx(prompts + 1000 * 3e-6), pytest.approx(prompts + 100_000 * 3e-6)
    )
    assert forecast().cost is None
    assert forecast().notes[0].startswith("price unknown, so cost_usd will be null")


def test_hours_are_those_of_the_tightest_limit() -> None:
    """100,000 tokens at 20 to 100 tokens/s in 10 replies at a time; or 1,000 calls at so many a minute."""
    free = forecast(in_flight=10).hours
    assert free == Span(pytest.approx(100 / 3600), pytest.approx(500 / 3600))
    assert forecast(in_flight=10, limits={"requests_per_minute": 60_000}).hours == free
    slow = forecast(in_flight=10, limits={"requests_per_minute": 2}).hours
    assert slow == Span(pytest.approx(1000 / 120), pytest.approx(1000 / 120))
    tight = forecast(in_flight=10, limits={"tokens_per_minute": 1000}).hours
    assert tight is not None
    assert tight.least < tight.most
    assert tight.most > 100_000 / 1000 / 60


def test_totals_are_unknown_where_one_is() -> None:
    some, other = Forecast("a", Span(1, 2), Span(3, 5)), Forecast("b", Span(10, 20), Span(4, 4))
    assert (total_cost([some, other]), total_hours([some, other])) == (Span(11, 22), Span(4, 5))
    assert total_cost([some, Forecast("c", None, Span(1, 1))]) is None
    assert total_hours([some, Forecast("c", Span(0, 0), None)]) is None


def test_a_rate_that_the_official_client_cannot_keep_up_with_is_told() -> None:
    lean = "use transport: lean"
    assert lean in forecast(price=PRICE, in_flight=1000).notes[-1]
    assert forecast(price=PRICE, in_flight=1000).notes[-1].startswith("up to 1,000 calls/s of one replica")
    for keys in ({"transport": "lean"}, {"replicas": 4}, {"limits": {"requests_per_minute": 600}}):
        assert not any(lean in note for note in forecast(price=PRICE, in_flight=1000, **keys).notes)


def test_a_listed_price_is_shown_with_its_date_and_source() -> None:
    [note, *_] = forecast(model="gpt-4o-mini", base_url="https://api.openai.com/v1").notes
    prices = "USD per million tokens: 0.15 of prompts, 0.075 of cached prompts, 0.6 of replies"
    assert note.startswith(f"{prices}; as of 20")
    assert "https://" in note


def test_a_budget_that_cannot_suffice_is_warned_of() -> None:
    cost, tokens = short_of(*of({"price": PRICE}, budget={"usd": 0.1, "tokens": 1000}))
    assert cost.startswith("budget.usd is $0.1000, and the plan is to cost at least $0.")
    assert tokens.startswith("budget.tokens is 1,000, and the plan is to take at least ")
    assert list(short_of(*of({"price": PRICE}, budget={"usd": 100.0, "tokens": 10**9}))) == []
    assert list(short_of(*of({"price": PRICE}))) == []


def test_a_call_above_a_minutes_tokens_is_warned_of() -> None:
    """One prompt of a solo debate, and the reply; limits are shared by replicas."""

    def warnings(per_minute: float, replicas: int = 1) -> list[str]:
        limits = {"tokens_per_minute": per_minute}
        return list(above_limits(*of({"limits": limits, "replicas": replicas})))

    [call] = {of({})[1].models[0].longest_call}
    assert call > 100
    assert warnings(call) == warnings(2 * call, replicas=2) == []
    [one] = warnings(call - 1)
    assert one.startswith(
        f"models.r.limits.tokens_per_minute is {call - 1:,}, and one call may take {call:,} (its prompt"
    )
    [shared] = warnings(2 * call - 2, replicas=2)
    assert f"is {call - 1:,} for each of 2 replicas, and one call" in shared
    assert list(above_limits(*of({}))) == []


def test_money_is_written_in_one_way() -> None:
    """In the table of costs and in the budget above it."""
    experiment, figures = of({"price": PRICE}, budget={"usd": 0.2})
    console = Console(width=120)
    with console.capture() as shown:
        console.print(cost_page(forecasts(experiment, figures), experiment.budget))
    page = shown.get()
    assert "budget: at most $0.2000, over" in page
    row = next(line for line in page.splitlines() if line.startswith("r "))
    assert re.search(r"^r +\$0\.\d{4} to \$0\.\d{4} ", row)


def test_the_page_shows_what_is_not_known_as_such() -> None:
    console = Console(width=120)
    with console.capture() as shown:
        console.print(cost_page(forecasts(*of({})), None))
    line = next(line for line in shown.get().splitlines() if line.startswith("all"))
    assert line.split() == ["all", "unknown", "under", "0.01", "to", "0.04"]


def test_a_model_of_unknown_price_is_refused_under_a_budget_in_dollars(tmp_path: Path) -> None:
    """Whether it sits on a panel or judges; a model that nobody asks may be there."""
    models = {"r": REMOTE, "free": {"backend": "simulated"}}

    def check(panel: str, **keys: Any) -> None:
        file = write_study(tmp_path, 1, models=models, panels=[[panel]], protocols=["solo"], **keys)
        preflight(load_experiment(file), ROWS)

    check("r", budget={"tokens": 10})
    check("free", budget={"usd": 1})
    for keys in ({}, {"stages": [{"name": "judged", "judges": ["r"]}]}):
        panel = "free" if keys else "r"
        with pytest.raises(ExperimentError) as refused:
            check(panel, budget={"usd": 1}, **keys)
        assert "models.r: found no price for 'm' at host.example" in str(refused.value)
        assert "allowed: price: {input: USD, output: USD} per million tokens" in str(refused.value)


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ({}, "budget: found no limit in it; expected usd, tokens, or both"),
        ({"usd": 0}, "budget.usd: found 0; allowed: greater than 0"),
        ({"usd": "5"}, "budget.usd: found '5'; allowed: "),
        ({"tokens": 1.5}, "budget.tokens: found 1.5; allowed: "),
        ({"usd": float("inf")}, "budget.usd: found "),
        ({"euros": 5}, "budget.euros: found the unknown key 'euros'; allowed: usd, tokens"),
    ],
    ids=str,
)
def test_a_bad_budget_is_refused(budget: dict[str, Any], says: str, tmp_path: Path) -> None:
    models = {"free": {"backend": "simulated"}}
    file = write_study(tmp_path, 1, models=models, panels=[["free"]], protocols=["solo"], budget=budget)
    with pytest.raises(ExperimentError) as refused:
        load_experiment(file)
    assert says in str(refused.value)


def test_a_budget_is_read_with_its_underscores_and_may_change_between_starts(tmp_path: Path) -> None:
    models = {"free": {"backend": "simulated"}}
    file = write_study(tmp_path, 1, models=models, panels=[["free"]], protocols=["solo"])
    without = load_experiment(file)
    file.write_text(file.read_text() + "budget: {usd: 5, tokens: 2_000_000}\n")
    read = load_experiment(file)
    assert read.budget is not None
    assert (read.budget.cap.nanos, read.budget.cap.tokens) == (5 * 10**9, 2_000_000)
    assert Experiment.thawed(read.frozen()).budget == read.budget
    assert list(differences(without, read)) == []


ENGINE = {"backend": "vllm", "model": "m", "max_tokens": 90, "tensor_parallel": 4, "replicas": 2}


def test_gpu_hours_are_tokens_by_the_rate_of_one_engine_times_its_gpus() -> None:
    """1,000 replies of 1 to 90 tokens at 10 tokens a second: 100 to 9,000 s of an engine of four GPUs."""
    [found] = forecasts(*of(ENGINE | {"tokens_per_second": 10}))
    assert found.gpu_hours == Span(pytest.approx(400 / 3600), pytest.approx(36_000 / 3600))
    assert found.hours == Span(pytest.approx(50 / 3600), pytest.approx(4_500 / 3600))
    [faster] = forecasts(*of(ENGINE | {"tokens_per_second": 10}), measured={"m": 20.0, "other": 1.0})
    assert faster.gpu_hours == Span(pytest.approx(200 / 3600), pytest.approx(18_000 / 3600))
    assert "as measured" in faster.notes[0]


def test_without_a_rate_the_hours_of_an_engine_are_unknown_and_the_plan_says_how_to_tell() -> None:
    [found] = forecasts(*of(ENGINE))
    assert found.gpu_hours is None
    assert found.hours is None
    assert "--like RUN" in found.notes[0]
