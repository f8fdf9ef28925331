"""Whatever loops without an end in a source is stopped at the same pass; nothing else of it is changed."""

from collections.abc import Iterator
from threading import Thread

import pytest

from protocols.own import bound
from protocols.own.bound import EndlessLoop, begin
from protocols.own.module import imported, line_of
from protocols.own.source import Source

MOST = 1000


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(bound, "MOST_PASSES", MOST)
    yield
    monkeypatch.undo()
    begin()


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("while True:\n        pass", 3),
        ("a = 1\n    while a:\n        a += 1", 4),
        ("for a in iter(int, 1):\n        pass", 3),
        ("[a for a in iter(int, 1)]", 3),
        ("sum(\n        a for a in iter(int, 1)\n    )", 4),
        ("{a: a for a in iter(int, 1)}", 3),
        ("while True:\n        try:\n            1 / 0\n        except Exception:\n            continue", 3),
        ("sum(map(lambda a: a, iter(int, 1)))", 3),
        ("sum(map(_one, iter(int, 1)))", 6),
    ],
)
def test_what_has_no_end_is_stopped_on_its_line(body: str, line: int) -> None:
    text = f"\ndef f():\n    {body}\n"
    text += "\n" * (5 - text.count("\n")) + "def _one(*_):\n    return 2\n"
    source = Source("own.py", text)
    module = imported(source)
    begin()
    with pytest.raises(EndlessLoop, match="found no end in 1,000 passes through loops") as stopped:
        module.f()
    assert line_of(source, stopped.value) == line


def test_as_many_passes_as_there_may_be() -> None:
    """One is the call itself, the others are those through the loop."""
    module = imported(Source("own.py", "def f(n):\n    for a in range(n):\n        pass\n    return n\n"))
    begin()
    assert module.f(MOST - 1) == MOST - 1
    begin()
    with pytest.raises(EndlessLoop):
        module.f(MOST)


def test_each_thread_counts_for_itself() -> None:
    module = imported(Source("own.py", "def g(n):\n    return [a for a in range(n)]\n"))
    begin()
    module.g(MOST - 1)
    other = Thread(target=lambda: (begin(), module.g(MOST - 1)))
    other.start()
    other.join()
    with pytest.raises(EndlessLoop):
        module.g(0)


def test_meaning_lines_and_docstrings_stay_as_they_were() -> None:
    text = '''
def f(n):
    """What it does."""
    double = lambda a: 2 * a
    found = [double(a) for a in range(n) if a % 2 for b in (1, 2)]
    while n:
        n -= 1
    else:
        found.append("end")
    return found


class C:
    """What it is."""

    def g(self):
        """What it does."""
        return {a for a in (1, 2)}
'''
    module = imported(Source("own.py", text))
    begin()
    assert module.f(4) == [2, 2, 6, 6, "end"]
    assert (module.f.__doc__, module.C.__doc__, module.C.g.__doc__) == (
        "What it does.",
        "What it is.",
        "What it does.",
    )
    assert module.C().g() == {1, 2}
    assert module.f.__code__.co_firstlineno == 2
    assert "__passed__" not in vars(module)
