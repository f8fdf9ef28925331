"""The table of debates: what the address of the page asks for is what it lists."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from starlette.testclient import TestClient

from analysis.viewer.filters import CHANGES, COLUMNS, PER_PAGE, SORTS
from tests.analysis.viewer.client import client
from tests.analysis.viewer.made_up import Made, case, judgment, many, write

pytestmark = pytest.mark.long

PLAIN = Made("plain", [("NTA", "YTA"), ("NTA", "NTA")])
DEBATES = [
    PLAIN,
    Made("stays", [("ESH", "ESH")], case="case2"),
    Made("back", [("NTA", "YTA"), ("YTA", "YTA"), ("NTA", "YTA")], case="case2"),
    Made(
        "lost",
        [("missing", "YTA"), ("NTA", "refusal")],
        panel=("gamma", "beta"),
        ended={"outcome": "no_consensus"},
    ),
    Made("turns", design={"protocol": "round_robin", "order": "2-1", "variant": '{"rounds":2}'}),
    Made("again", design={"repetition": 2, "answer_format": "json", "steering": "default+adversarial"}),
    Made(
        "argued",
        [("A", "B"), ("B", "A")],
        case="question",
        design={"stage": "argued", "protocol": "debate", "stance_swap": True},
        own={(2, "seat1"): {"stance": "B"}, (2, "seat2"): {"stance": "A", "violation": "over_limit"}},
        ended={"standing": "one_right"},
    ),
    Made(
        "resolved",
        [("A", "B"), ("A", "A")],
        case="question",
        design={"stage": "argued", "protocol": "disagreement_resolution"},
        own={(2, "seat2"): {"crux": "Whether Mauve is a colour"}},
        ended={"exit_mode": "consensus", "calls": 9},
    ),
]
EVERY = {one.id for one in DEBATES}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    cases = [
        case("case1"),
        case("case2", text="About a 100% Cello_suite."),
        case("question", options=["x", "y"]),
    ]
    run = tmp_path_factory.mktemp("of") / "run"
    write(run, DEBATES, cases=cases, others=[judgment(DEBATES[6], "judged")])
    return client([run])


def listed(asking: TestClient, query: str, status: int = 200) -> list[str]:
    """The ids in the table of the page, in their order."""
    answer = asking.get(f"/run/debates?{query}")
    assert answer.status_code == status, answer.text
    return re.findall(r'<th scope="row"><a href="/run/debates/([^"?]+)', answer.text)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", EVERY),
        ("stage=argued", {"argued", "resolved"}),
        ("protocol=round_robin", {"turns"}),
        ("protocol=round_robin&protocol=debate", {"turns", "argued"}),
        ('variant={"rounds":2}', {"turns"}),
        ("panel=gamma%2Bbeta", {"lost"}),
        ("model=gamma", {"lost"}),
        ("model=alpha&order=2-1", {"turns"}),
        ("steering=default%2Badversarial", {"again"}),
        ("format=json", {"again"}),
        ("swap=true", {"argued"}),
        ("repetition=2", {"again"}),
        ("case=case2", {"stays", "back"}),
        ("outcome=consensus&case=case2", {"stays"}),
        ("standing=one_right", {"argued"}),
        ("exit=consensus", {"resolved"}),
        ("rounds=1&rounds=3", {"stays", "back"}),
        ("agreed=ESH", {"stays"}),
        ("reading=refusal", {"lost"}),
        ("reading=missing&reading=invalid", {"lost"}),
        ("debate=back&debate=lost", {"back", "lost"}),
        ("change=yes", {"plain", "back", "turns", "again", "resolved"}),
        ("change=no", {"stays", "lost", "argued"}),
        ("change=lasting", {"plain", "turns", "again", "resolved"}),
        ("change=back", {"back"}),
        ("change=no&change=back", {"stays", "lost", "argued", "back"}),
        ("violation=yes", {"argued"}),
        ("text=mauve IS", {"resolved"}),
        ("text=100%25 cello_", {"stays", "back"}),
        ("text=100.* cello", set()),
        ("text=promised&repetition=2", {"again"}),
        ("protocol=nothing", set()),
        ("protocol=", EVERY),
    ],
)
def test_filters(asking: TestClient, query: str, expected: set[str]) -> None:
    found = listed(asking, query)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_every_filter_is_tried_above() -> None:
    [tried] = [mark.args[1] for mark in test_filters.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    names = {name for query, _ in tried for name, _ in parse_qsl(query)}
    assert set(COLUMNS) | {"change", "violation", "text"} <= names
    assert set(CHANGES) == {
        value for query, _ in tried for name, value in parse_qsl(query) if name == "change"
    }


def test_debates_of_a_case_stand_together_unless_it_is_asked_otherwise(asking: TestClient) -> None:
    cases = [next(one.case for one in DEBATES if one.id == id) for id in listed(asking, "")]
    assert cases == sorted(cases)
    assert listed(asking, "")[:2] == ["turns", "plain"]
    rounds = [3, 2, 2, 2, 2, 2, 2, 1]
    of = {one.id: len(one.labels) for one in DEBATES}
    assert [of[id] for id in listed(asking, "sort=-rounds")] == rounds
    assert [of[id] for id in listed(asking, "sort=rounds")] == rounds[::-1]
    assert listed(asking, "sort=-calls")[0] == "resolved"
    assert listed(asking, "sort=-repetition")[0] == "again"
    assert listed(asking, "sort=-panel")[0] == "lost"
    changed = {"plain", "back", "turns", "again", "resolved"}
    assert set(listed(asking, "sort=-change")[: len(changed)]) == changed
    assert set(listed(asking, "sort=change")[-len(changed) :]) == changed


@pytest.mark.parametrize("sort", [*SORTS, *(f"-{name}" for name in SORTS)])
def test_every_order_lists_all(asking: TestClient, sort: str) -> None:
    assert sorted(listed(asking, f"sort={sort}")) == sorted(EVERY)


@pytest.mark.parametrize(
    "query",
    [
        "page=0",
        "page=-1",
        "page=x",
        "page=9999999999999999999999",
        "sort=nothing",
        "change=maybe",
        "reading=good",
    ],
)
def test_what_cannot_be_meant_is_told_and_left_out(asking: TestClient, query: str) -> None:
    answer = asking.get(f"/run/debates?{query}")
    assert "It is left out here." in answer.text
    assert set(listed(asking, query)) == EVERY


def test_pages_are_cut_and_linked(tmp_path: Path) -> None:
    write(tmp_path / "run", many(2 * PER_PAGE + 7))
    asking = client([tmp_path / "run"])
    pages = [listed(asking, f"page={number}") for number in (1, 2, 3, 4)]
    assert [len(page) for page in pages] == [PER_PAGE, PER_PAGE, 7, 0]
    assert [id for page in pages for id in page] == [one.id for one in many(2 * PER_PAGE + 7)]
    second = asking.get("/run/debates?protocol=synchronous&page=2").text
    assert "51–100 of 107 debates" in second
    assert 'rel="prev" href="?protocol=synchronous"' in second
    assert 'rel="next" href="?protocol=synchronous&amp;page=3"' in second


def test_what_was_searched_for_stands_in_its_words(asking: TestClient) -> None:
    def around(query: str) -> list[str]:
        page = asking.get(f"/run/debates?{query}").text
        return [
            re.sub(r"<[^>]+>", "", each).strip()
            for each in re.findall(r'<span class="hit">(.*)</span>', page)
        ]

    assert around("text=mauve+IS") == ["Whether Mauve is a colour round 2, seat2"]
    assert set(around("text=CELLO_")) == {"About a 100% Cello_suite. case"}
    assert around("") == []
    assert "<mark>" in asking.get("/run/debates?text=mauve").text


def test_the_state_of_the_page_goes_along_to_a_debate_and_back(asking: TestClient) -> None:
    asked = urlencode([("change", "yes"), ("sort", "-rounds"), ("text", "promised")])
    page = asking.get(f"/run/debates?{asked}").text
    [address, *_] = re.findall(r'<th scope="row"><a href="(/run/debates/[^"]+)"', page)
    address, _, mark = address.replace("&amp;", "&").partition("#")
    assert mark == ":~:text=promised"
    assert sorted(parse_qsl(address.partition("?")[2])) == sorted(parse_qsl(asked))
    debate = asking.get(address).text
    [back] = re.findall(r'href="/run/debates\?([^"]+)">All debates of this filter', debate)
    assert sorted(parse_qsl(back.replace("&amp;", "&"))) == sorted(parse_qsl(asked))


@pytest.mark.parametrize(
    "query", ["", "sort=-rounds", "change=yes&sort=rounds", "text=promised", "text=promised&sort=-case"]
)
def test_next_and_previous_walk_through_the_list_in_its_order(asking: TestClient, query: str) -> None:
    order = listed(asking, query)
    assert len(order) > 2
    for at, id in enumerate(order):
        page = asking.get(f"/run/debates/{id}?{query}").text
        before = re.findall(r'rel="prev"[^>]*href="/run/debates/([^"?]+)', page)
        after = re.findall(r'rel="next"[^>]*href="/run/debates/([^"?]+)', page)
        assert before == order[max(at - 1, 0) : at]
        assert after == order[at + 1 : at + 2]


def test_what_is_offered_has_the_counts_of_the_run(asking: TestClient) -> None:
    page = asking.get("/run/debates?protocol=round_robin").text
    [shown] = re.findall(
        r'name="protocol" value="synchronous">.*?<span class="n soft">(\d+)', page, re.DOTALL
    )
    assert shown == str(sum(one.columns["protocol"] == "synchronous" for one in DEBATES))
    assert re.search(r'name="protocol" value="round_robin" checked', page)


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u200b'


def test_hostile_words_of_an_address_are_shown_as_words(asking: TestClient) -> None:
    for name in ("text", "protocol", "case", "sort", "page", "change", "nothing"):
        page = asking.get("/run/debates?" + urlencode({name: HOSTILE})).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "\u202e" not in re.sub(r'(href|value)="[^"]*"', "", page)
