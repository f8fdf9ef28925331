"""All golden texts; `python -m tests.golden.all_files` prints them."""

from __future__ import annotations

import sys

from tests.golden.oversight import oversight_files
from tests.golden.views import view_files
from tests.golden.what_followed import following_files
from tests.golden.who_saw_what import golden_files


def all_files() -> dict[str, str]:
    """Every golden file's name and its text."""
    return golden_files() | following_files() | oversight_files() | view_files()


if __name__ == "__main__":
    sys.stdout.write("\n".join(all_files().values()))
