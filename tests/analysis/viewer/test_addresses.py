"""Numbers in addresses that are none, or none of this run: they are told, whatever they are."""

import pytest
from starlette.testclient import TestClient

from analysis.viewer.pages import number
from tests.analysis.viewer.client import BASE, client
from tests.analysis.viewer.made_up import Made, case, write

pytestmark = pytest.mark.long

ODD = ("9" * 5_000, "0" * 5_000, "9" * 10, "-1", "0", "1.5", "1e3", "²", "%00", "%FF", "'", "x", "%D9%A3x")
"""Too long to be read as a number, too large, none, or not from 1."""


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    run = tmp_path_factory.mktemp("viewed") / "run"
    return client([write(run, [Made("one"), Made("two")], cases=[case()])])


def test_numbers_are_read_up_to_nine_digits() -> None:
    assert [number(given) for given in ("1", "50", "999999999")] == [1, 50, 999_999_999]
    assert [number(given) for given in ("", "0", "1000000000", "9" * 5_000, "-1", "²", " 1")] == [None] * 7
    assert number("0", least=0) == 0


@pytest.mark.parametrize("given", ODD, ids=lambda given: given[:6])
@pytest.mark.parametrize("path", ["/run/debates", "/compare"])
def test_a_page_that_is_no_number_is_told_and_the_first_is_shown(
    viewer: TestClient, path: str, given: str
) -> None:
    answer = viewer.get(f"{path}?page={given}")
    assert answer.status_code == 200
    assert "allowed: a number from 1" in answer.text


@pytest.mark.parametrize("given", ODD, ids=lambda given: given[:6])
def test_rounds_and_places_that_are_none_are_not_here(viewer: TestClient, given: str) -> None:
    shown = viewer.get(f"/run/debates/one/turns/{given}/seat1")
    allowed = (200,) if given == "0" else (404,)  # round 0 is before any: nothing was asked
    assert shown.status_code in allowed, shown.text
    assert viewer.get(f"/run/label/ann/{given}").status_code == 404
    assert viewer.get(f"/run/debates/one?page={given}").status_code == 200


@pytest.mark.parametrize("name", ["sample", "seed", "values"])
@pytest.mark.parametrize("given", ["9" * 5_000, "-1", "%B2", "%C2%B2", "", "%00", "x"])
def test_numbers_of_a_form_are_told(viewer: TestClient, name: str, given: str) -> None:
    form = {"person": "ann", "sample": "1", "seed": "0", "values": "0", name: given}
    sent = "&".join(f"{field}={value}" for field, value in form.items())
    answer = viewer.post("/run/label", content=sent.encode(), headers={"origin": BASE})
    assert answer.status_code == 422
    assert "allowed: " in answer.text


@pytest.mark.parametrize("given", ["1", "9999", "00009999", "999999999"])
def test_a_list_of_values_that_there_is_not_is_told(viewer: TestClient, given: str) -> None:
    form = {"person": "ann", "sample": "1", "seed": "0", "values": given}
    answer = viewer.post("/run/label", data=form, headers={"origin": BASE})
    assert answer.status_code == 422
    assert "allowed: one of the lists below" in answer.text


@pytest.mark.parametrize("sent", [b"person=\xff\xfe", b"\xff", b"person=%FF&sample=\xff", b"&" * 9_999])
def test_a_form_that_is_no_text_is_told(viewer: TestClient, sent: bytes) -> None:
    assert viewer.post("/run/label", content=sent, headers={"origin": BASE}).status_code == 422
