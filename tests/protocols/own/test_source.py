"""What a file of one's own may hold, seen before any of it runs."""

import pytest

from protocols.own.source import Source, SourceError, read_tree


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "import numpy\n",
            "own.py:1: found an import of numpy; allowed: the standard library",
        ),
        ("def f():\n    from ray import data\n", "own.py:2: found an import of ray"),
        ("from ray_jobs.cli import app\n", "own.py:1: found an import of ray_jobs.cli"),
        ("from .other import f\n", "own.py:1: found an import of a file beside it"),
        ("import importlib\n", "own.py:1: found an import of importlib"),
        ("A = 1\nfor a in (1, 2):\n    A += a\n", "own.py:2: found 'for' outside any function"),
        ("print('hello')\n", "own.py:1: found a call outside any function"),
        (
            "def f():\n    return open('a')\n",
            r"own.py:2: found a call of open\(\); a dialogue reads",
        ),
        ("def f():\n    global a\n    a = 1\n", "own.py:2: found 'global a', which would outlive the debate"),
        (
            "def f():\n    raise KeyboardInterrupt\n",
            "own.py:2: found a raise of KeyboardInterrupt, which is for",
        ),
        (
            "def f():\n    raise SystemExit(3)\n",
            "own.py:2: found a raise of SystemExit, which is for the whole",
        ),
        ("import sys\ndef f():\n    sys.setrecursionlimit(10**9)\n", "own.py:3: found a use of setrecursion"),
        ("def f(:\n", "own.py:1: found no Python: invalid syntax"),
        ("A = '\0'\n", "own.py.*: found no Python: source code string cannot contain null bytes"),
    ],
)
def test_what_a_file_must_not_hold(text: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        read_tree(Source("own.py", text))


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(SourceError) as refused:
        read_tree(Source("own.py", "import numpy\nimport pandas\nprint()\n"))
    assert [line.partition(": ")[0] for line in str(refused.value).splitlines()] == [
        *("own.py:1", "own.py:2", "own.py:3", "own.py:3")
    ]


def test_imports_functions_classes_and_constants_are_allowed() -> None:
    text = '"""Mine."""\nimport json\nfrom protocols.case import Case\nA = 1\nclass B: ...\ndef f(): ...\n'
    assert len(read_tree(Source("own.py", text)).body) == 6


def test_the_hash_is_that_of_the_text_alone() -> None:
    one, same, other = Source("a.py", "A = 1\n"), Source("b.py", "A = 1\n"), Source("a.py", "A = 2\n")
    assert one.hash == same.hash != other.hash
    assert (len(one.hash), one.name) == (8, "a.py")
