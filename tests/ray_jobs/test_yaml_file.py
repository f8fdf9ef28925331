"""YAML with places: every key and value has its line, and what YAML misreads is refused with its place."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.located import ExperimentError, Problem
from ray_jobs.yaml_file import locate, read_yaml

TEXT = """\
# a comment
name: study
panels:
  - [a, b]
  - - c
    - d
models: {a: {backend: x}}
"""


def test_every_key_and_value_has_its_line() -> None:
    located = locate("study.yaml", TEXT)
    assert located.data == {
        "name": "study",
        "panels": [["a", "b"], ["c", "d"]],
        "models": {"a": {"backend": "x"}},
    }
    assert located.lines[("name",)] == 2
    assert located.lines[("panels", 0)] == 4
    assert located.lines[("panels", 1, 1)] == 6
    assert located.lines[("models", "a", "backend")] == 7


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(TREES)
def test_any_data_is_read_as_it_was_written_and_every_part_has_its_line(tree: object) -> None:
    text = yaml.safe_dump(tree)
    located = locate("x.yaml", text)
    assert located.data == tree
    assert all(1 <= line <= text.count("\n") for line in located.lines.values())
    assert set(located.written) <= set(located.lines)


def test_an_error_lists_every_problem_once_with_file_line_and_key() -> None:
    located = locate("study.yaml", TEXT)
    problem = Problem(("panels", 1, 0), "'c'", "a, b")
    error = located.error([problem, problem, Problem(("models", "a", "tag", "backend"), "'x'", "vllm")])
    assert str(error).splitlines() == [
        "study.yaml:5: panels[1][0]: found 'c'; allowed: a, b",
        "study.yaml:7: models.a.backend: found 'x'; allowed: vllm",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", ["f.yaml:3: a:", "second time", "line 1", "every key once"]),
        ("a:\n  b: 1\n  b: 2\n", ["f.yaml:3: a.b:", "second time", "line 2"]),
        ("a:\n\tb: 1\n", ["f.yaml:2:", "found a tab", "allowed: spaces"]),
        ("a: 1\nb: [1,\n", ["f.yaml:2:", "'b: [1,'", "no valid YAML"]),
        ("a: b: c\n", ["f.yaml:1:", "'a: b: c'", "mapping values are not allowed here"]),
        ("a: 1\n---\nb: 2\n", ["f.yaml:2:", "'---'", "single document"]),
        ("models:\n  no: {}\n", ["f.yaml:2: models:", "found the key no", "boolean false", "'no' in quotes"]),
        ("on: 1\n", ["f.yaml:1:", "found the key on", "boolean true", "'on' in quotes"]),
        ("models:\n  70: {}\n", ["f.yaml:2: models:", "found the key 70", "a number", "'70' in quotes"]),
        ("~: 1\n", ["f.yaml:1:", "found the key ~", "nothing"]),
        ("? [a]\n: 1\n", ["f.yaml:1:", "a list or a mapping as a key", "text as keys"]),
        ("a: 2024-13-45\n", ["f.yaml:1:", "2024-13-45", "month", "in quotes"]),
        ("a: !secret x\n", ["f.yaml:1:", "!secret"]),
        ("a: &x [*x]\n", ["f.yaml:", "an alias that holds itself"]),
        ("a: 1\nb: \x07\n", ["f.yaml:2:", "control character 0x07", "printable"]),
    ],
)
def test_bad_yaml_is_refused_with_its_place(text: str, expected: list[str]) -> None:
    with pytest.raises(ExperimentError) as refused:
        locate("f.yaml", text)
    for part in expected:
        assert part in str(refused.value)


@pytest.mark.parametrize(
    "line",
    [
        "key: KEY: x: [",
        "key: *KEY",
        "key: !KEY x",
        'key: "KEY',
        '"api_key": KEY: x',
        "{Authorization: KEY: [",
        "base_url: https://KEY: @host",
        "key:\n  KEY: x: [",
    ],
)
def test_a_line_that_may_hold_a_key_is_not_repeated(line: str) -> None:
    secret = "sk-planted-0123456789"
    with pytest.raises(ExperimentError) as refused:
        locate("f.yaml", f"name: study\n{line.replace('KEY', secret)}\n")
    assert secret not in str(refused.value)
    assert re.match(r"f\.yaml:[23]: found a line that may hold a key .*no valid YAML: ", str(refused.value))


def test_a_missing_file_a_folder_and_another_encoding_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"none\.yaml: cannot be read: No such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(ExperimentError, match="cannot be read: it is no file"):
        read_yaml(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("a: 1\nb: é\n".encode("latin-1"))
    with pytest.raises(ExperimentError, match=r"latin\.yaml:2: found the byte 0xe9; allowed: text in UTF-8"):
        read_yaml(tmp_path / "latin.yaml")


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbfname: study\n")
    assert read_yaml(tmp_path / "bom.yaml").data == {"name": "study"}
