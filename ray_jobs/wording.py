"""`prompts: FOLDER`: prompt sections from text files, in place of the built-in ones."""

from __future__ import annotations

from pathlib import Path

from protocols.prompts import BUILTIN, PromptError, Prompts
from ray_jobs.located import ExperimentError, one_of


def read_prompts(folder: Path) -> dict[str, str]:
    """The sections in `folder`, one text file each, named like the section it replaces.

    Raises `ExperimentError` for a file that replaces no section, is not UTF-8, or names a placeholder
    that its section does not have, and for a folder without any section.
    """
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise ExperimentError(f"{folder}: found no text file; allowed: {', '.join(_files())}")
    return {file.stem: _section(file) for file in files}


def _section(file: Path) -> str:
    if file.stem not in BUILTIN:
        raise ExperimentError(
            f"{file}: found a file that is no section; allowed: {one_of(_files(), file.name)}"
        )
    try:
        text = file.read_bytes().decode("utf-8-sig").strip()
        Prompts({file.stem: text})
    except UnicodeDecodeError as error:
        raise ExperimentError(
            f"{file}: found the byte {error.object[error.start]:#04x}; allowed: text in UTF-8"
        ) from None
    except PromptError as error:
        raise ExperimentError(f"{file}: {error}") from None
    return text


def _files() -> list[str]:
    return [f"{name}.txt" for name in BUILTIN]
