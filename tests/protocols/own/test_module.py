"""A source as a module: run once, under its hash, with its imports watched as they happen."""

import sys

import pytest

from protocols.own import bound
from protocols.own.module import function, functions, imported, line_of
from protocols.own.source import Source, SourceError


def test_two_versions_of_a_file_are_two_modules() -> None:
    old, new = (imported(Source("own.py", f"def f():\n    return {number}\n")) for number in (1, 2))
    assert (old.f(), new.f()) == (1, 2)
    assert imported(Source("own.py", "def f():\n    return 1\n")) is old


def test_a_hidden_import_is_refused_when_it_happens() -> None:
    text = "def f():\n    return __builtins__['__import__']('pandas')\n"
    with pytest.raises(ImportError, match="found an import of pandas; allowed: the standard library"):
        imported(Source("own.py", text)).f()


def test_what_fails_at_import_is_told_with_its_line_and_leaves_nothing() -> None:
    before = set(sys.modules)
    with pytest.raises(SourceError, match=r"own.py:2: ZeroDivisionError: division by zero, in: B = A / 0"):
        imported(Source("own.py", "A = 1\nB = A / 0\n"))
    assert set(sys.modules) == before


def test_functions_are_those_that_it_defines_itself() -> None:
    source = Source("own.py", "from json import dumps\ndef f(): ...\ndef _g(): ...\nclass C: ...\n")
    assert list(functions(source)) == ["f"]
    with pytest.raises(SourceError, match=r"own\.py: found no function 'g'; it has: f"):
        function(source, "g")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import sys\nA = sys.exit(0)\n", r"own\.py:2: SystemExit: 0, in: A = sys\.exit\(0\)"),
        (
            "import itertools\nA = [a for a in itertools.count() if a < 0]\n",
            r"own\.py:2: EndlessLoop: found no end",
        ),
    ],
)
def test_an_import_that_ends_the_process_or_never_ends_is_told(
    text: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bound, "MOST_PASSES", 1000)
    with pytest.raises(SourceError, match=says):
        imported(Source("own.py", text))


def test_a_function_under_a_decorator_is_named_with_its_line() -> None:
    source = Source("own.py", "import functools\n\n@functools.cache\ndef f(case):\n    yield ()\n")
    with pytest.raises(
        SourceError, match=r"own\.py:4: found the function 'f' with a decorator that makes a _lru"
    ):
        function(source, "f")


def test_an_error_is_placed_by_what_caused_it() -> None:
    source = Source("own.py", "def f():\n    yield 1\n    raise StopIteration\n")
    with pytest.raises(RuntimeError, match="generator raised StopIteration") as raised:
        list(imported(source).f())
    assert line_of(source, raised.value) == 3


def test_future_imports_of_others_do_not_reach_it() -> None:
    assert imported(Source("own.py", "def f(a: int): ...\n")).f.__annotations__ == {"a": int}
