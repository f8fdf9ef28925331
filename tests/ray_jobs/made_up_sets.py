"""Rows made up in the formats of published sets, and what is to be read of them."""

from __future__ import annotations

from pathlib import Path

from ray_jobs.cases import CaseRow

FOLDER = Path(__file__).parents[1] / "data" / "question_sets"
FILES = {file.stem: file for file in FOLDER.iterdir()}
LENGTHS = [f"{half / 2:g} m" for half in range(1, 11)]
QUESTIONS = {
    "gpqa": [
        CaseRow(
            "recMADEUP000000001",
            "",
            "A made-up particle has a spin of 3/2, and is at rest.\nHow many projections has its spin?",
            ["4", "2", "3", "6"],
            "4",
            "GPQA / Physics / Quantum Mechanics",
        ),
        CaseRow(
            "recMADEUP000000002",
            "",
            'A made-up salt, "X", is dissolved in water. Which ion colours it?',
            ["Cu^2+, hydrated", "Na^+", "K^+", "Cl^-"],
            "Cu^2+, hydrated",
            "GPQA / Chemistry / Inorganic Chemistry",
        ),
        CaseRow(
            "recMADEUP000000005",
            "",
            "A made-up cell divides three times. How many cells are there?",
            ["8", "3", "6", "9"],
            "8",
            "GPQA / Biology",
        ),
    ],
    "supergpqa": [
        CaseRow(
            "00000000000000000000000000000001",
            "",
            "A made-up wave runs at 340 m/s and has 170 Hz. How long is it?",
            LENGTHS,
            "2 m",
            "SuperGPQA / Science / Physics / Acoustics",
        ),
        CaseRow(
            "00000000000000000000000000000004",
            "",
            "Which made-up pigment is named by a letter?",
            ["A", "B", "C"],
            "B",
            "SuperGPQA / Agronomy / Crop Science",
        ),
    ],
    "mmlu_pro": [
        CaseRow(
            "70",
            "",
            "In a made-up group every element is its own inverse. What else holds?",
            ["It is cyclic.", "It is abelian.", "It is infinite.", "It is trivial."],
            "It is abelian.",
            "MMLU-Pro / math",
        ),
        CaseRow(
            "71",
            "",
            "Which letter comes third in a made-up order C, B, A?",
            ["C", "B", "A"],
            "A",
            "MMLU-Pro / other",
        ),
    ],
    "hle": [
        CaseRow(
            "66e000000000000000000001",
            "",
            "How many holes has a made-up cup?",
            ["none", "one", "two,\nas many as handles", "three"],
            "one",
            "HLE / Math / Topology",
        ),
        CaseRow(
            "66e000000000000000000005",
            "",
            "Which made-up tense is it?",
            ["past", "present", "future"],
            "future",
            "HLE / Humanities/Social Science / Linguistics",
        ),
    ],
}
LEFT_OUT = {
    "gpqa": {"with a blank option": 1, "with two options alike": 1},
    "supergpqa": {
        "with two accounts of the right answer that differ": 1,
        "whose right answer is no letter of an option": 1,
    },
    "mmlu_pro": {
        "with two accounts of the right answer that differ": 1,
        "with fewer than 2 or more than 26 options": 1,
    },
    "hle": {
        "with a short answer in place of options": 2,
        "with an image": 1,
        "without a list of answer choices": 1,
        "whose right answer is no letter of an option": 1,
    },
}
DESIGN = "models: {a: {backend: simulated}}\npanels: [[a, a]]\nprotocols: [solo]\n"


def write_study(folder: Path, cases: str) -> Path:
    """An experiment on these cases."""
    file = folder / "study.yaml"
    file.write_text(f"name: study\ncases: {{{cases}}}\n{DESIGN}")
    return file
