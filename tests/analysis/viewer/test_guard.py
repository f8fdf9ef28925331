"""Who is let in, and what a page may do."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.analysis.viewer.client import BASE, PORT, TOKEN, client
from tests.analysis.viewer.made_up import Made, write

pytestmark = pytest.mark.long


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run", [Made("d1")])


def stranger(run: Path) -> TestClient:
    return client([run], known=False)


def test_nothing_is_shown_without_the_token(run: Path) -> None:
    for address in ("/", "/run", "/run/debates", "/static/viewer.css", "/static/figure.css", "/nowhere"):
        for given in ("", "?token=", "?token=wrong", f"?token={TOKEN}x"):
            answer = stranger(run).get(address + given)
            assert answer.status_code == 403, (address, given)
            assert "NTA" not in answer.text


def test_the_token_opens_the_page_that_its_address_names_and_is_kept_in_a_cookie(run: Path) -> None:
    asking = stranger(run)
    answer = asking.get(f"/run/debates?protocol=synchronous&token={TOKEN}&sort=-rounds")
    assert answer.status_code == 200
    assert '0; url=/run/debates?protocol=synchronous&amp;sort=-rounds"' in answer.text
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"moot-{PORT}={TOKEN};")
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert asking.get("/run/debates").status_code == 200


def test_the_token_leads_to_no_other_site_and_its_page_holds_no_markup(run: Path) -> None:
    for path in ("//evil.example/", "///evil.example"):
        answer = stranger(run).get(f"{BASE}{path}?token={TOKEN}")
        assert "0; url=/evil.example" in answer.text
    answer = stranger(run).get(f'/run?x="><script>alert(1)</script>&token={TOKEN}')
    assert "<script" not in answer.text


def test_only_the_hosts_of_this_machine_are_answered(run: Path) -> None:
    known = client([run])
    for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""):
        answer = known.get(f"/run?token={TOKEN}", headers={"host": host})
        assert answer.status_code == 421, host
        assert "set-cookie" not in answer.headers
    assert known.get("/run", headers={"host": f"localhost:{PORT}"}).status_code == 200


def test_something_is_changed_only_from_a_page_of_the_viewer(run: Path) -> None:
    known = client([run])
    assert known.post("/run").status_code == 403
    assert known.post("/run", headers={"origin": "https://evil.example"}).status_code == 403
    assert known.post("/run", headers={"origin": "null"}).status_code == 403
    assert known.post("/run", headers={"origin": BASE}).status_code == 405
    assert known.delete("/run", headers={"origin": BASE}).status_code == 405
    assert stranger(run).post(f"/run?token={TOKEN}", headers={"origin": BASE}).status_code == 403


def test_every_answer_has_the_policy(run: Path) -> None:
    known = client([run])
    for address in ("/", "/run", "/run/debates", "/run/debates/d1", "/static/viewer.js", "/nowhere"):
        headers = known.get(address).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none';"), address
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
    assert "content-security-policy" in stranger(run).get("/run").headers
