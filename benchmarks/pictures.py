"""The pictures of the report and the viewer in the README: `make pictures`.

A small study of simulated models is played, its report written and its viewer opened in Chromium, and what
stands in the window is kept in `docs/pictures/`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

OUT = Path("docs/pictures")
STUDY = OUT / "study.yaml"
MOOT = [sys.executable, "-c", "from ray_jobs.cli import main; main()"]
SIZE = {"width": 1280, "height": 800}


def main() -> None:
    """Makes all pictures anew."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("no chromium: sh tests/analysis/viewer/chromium.sh installs Debian's")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        run = Path(folder, "promises")
        for words in (["run", STUDY, "--out", run], ["report", run]):
            subprocess.run([*MOOT, *map(str, words)], check=True)
        browser = play.chromium.launch(executable_path=chromium)
        report(opened(browser), run / "report.html")
        viewing = subprocess.Popen(
            [*MOOT, "view", str(run), "--no-browser"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert viewing.stdout is not None
            viewer(browser, viewing.stdout.readline().strip())
        finally:
            viewing.terminate()
            viewing.wait()
        browser.close()


def opened(browser: Browser, scheme: str = "light") -> Page:
    """A new window."""
    return browser.new_context(viewport=SIZE, color_scheme=scheme).new_page()


def report(page: Page, file: Path) -> None:
    """The report, at its first figures."""
    page.goto(file.as_uri())
    page.evaluate("document.getElementById('figure-1').previousElementSibling.scrollIntoView()")
    keep(page, "report")


def viewer(browser: Browser, address: str) -> None:
    """The pages of the viewer at the address that its command has printed."""
    place = address.partition("/?")[0]
    for scheme in ("light", "dark"):
        page = opened(browser, scheme)
        page.goto(address)
        page.wait_for_url(lambda url: "token" not in url)
        page.goto(f"{place}/promises/debates?change=yes&sort=-rounds")
        if scheme == "light":
            keep(page, "debates")
        page.locator("table.debates tbody th a").first.click()
        page.wait_for_url(re.compile("/debates/"))
        page.keyboard.press("c")
        keep(page, f"debate_{scheme}")
    page = opened(browser)
    page.goto(address)
    page.wait_for_url(lambda url: "token" not in url)
    page.goto(f"{place}/compare")
    page.get_by_label("First cell").select_option(index=1)
    page.get_by_label("Second cell").select_option(index=5)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url(re.compile("a="))
    keep(page, "compare")
    page.goto(f"{place}/promises/label")
    page.get_by_label("Name").fill("ann")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile("/label/ann/1"))
    page.keyboard.type("honest")
    page.keyboard.press("Enter")
    page.keyboard.type("family")
    page.keyboard.press("Enter")
    keep(page, "label")


def keep(page: Page, name: str) -> None:
    """Writes what stands in the window."""
    page.screenshot(path=OUT / f"{name}.png", animations="disabled")
    print(f"{OUT / name}.png: {(OUT / f'{name}.png').stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
