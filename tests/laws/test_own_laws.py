"""`protocols.laws` finds what a protocol of one's own breaks, says where, and how it is mended."""

from __future__ import annotations

import pytest

from protocols.laws.trial import Finding, Trial, once, panels
from protocols.laws.watch import Watch
from protocols.own.module import imported
from protocols.own.source import Source
from tests.protocols.own.bad import LINE, TEXT, said, with_line

SECRET = said("[turn.text for turn in transcript.turns]")


def test_what_stays_in_the_process_shows_beside_another_debate() -> None:
    """Four rounds leave the parity as it was, so that played again it is the same."""
    source = with_line("KEPT.append(1); step = step if len(KEPT) % 2 else step[:1]")
    told = found(Source("tried.py", source.text.replace("rounds=3", "rounds=4")))
    assert [each.law for each in told] == ["beside others"]
    assert told[0].what.startswith("played beside another debate it is another one itself; what it keeps")


def test_a_question_is_told_with_the_line_where_it_was_yielded() -> None:
    told = found(with_line("step = step if round < 2 else tuple(replace(ask, round=0) for ask in step)"))
    assert [each.where.partition(": ")[0] for each in told] == [f"tried.py:{LINE + 1}"]


def found(source: Source) -> list[Finding]:
    """What is found on two seats, whatever they reply."""
    imported(source)
    trial = Trial(f"tried@{source.hash}")
    scripts = ("disagreeing", "ragged")
    return once(each for panel in panels([2]) for script in scripts for each in trial.tried(panel, script)[0])


def test_a_good_one_breaks_nothing() -> None:
    assert found(with_line("pass")) == []
    assert found(with_line(said("draw(case.seed, 'lot')"))) == []


@pytest.mark.parametrize(
    ("line", "law", "says"),
    [
        (said("random.random()"), "deterministic", "played again it is another debate: step 0, slot 0"),
        ("KEPT.append(1); " + said("len(KEPT)"), "deterministic", "not at the top of the file"),
        (SECRET, "questions", "it shows what a model thought to itself; put turn.shown into messages"),
        (
            "step = tuple(replace(ask, messages=BARE) for ask in step)",
            "questions",
            "it does not hold the case, and whoever answers knows nothing but its messages",
        ),
        (
            "step = tuple(replace(ask, messages=(*ask.messages, Message('user', 'More.'))) for ask in step)",
            "questions",
            "its messages are system, user, user; allowed: system, then user and assistant by turns",
        ),
        (
            "step = tuple(replace(ask, messages=(*ask.messages[:-1], Message('user', ''))) for ask in step)",
            "questions",
            "message 2 of 2, of the user, is empty: ''; models must be shown a text",
        ),
        (
            said("0").replace("'.')", "'. ')"),
            "questions",
            "message 2 of 2, of the user, begins or ends with blanks: 'Round 1",
        ),
        (
            "step = tuple(replace(ask, facts=replace(ask.facts, case_id='x')) for ask in step)",
            "questions",
            "its facts are of the case 'x', so simulated and scripted models",
        ),
        ("step = tuple(replace(ask, round=0) for ask in step)", "questions", "both count from 1"),
    ],
)
def test_what_is_broken_is_told(line: str, law: str, says: str) -> None:
    assert [each.law for each in found(with_line(line)) if says in each.what] == [law]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("replace(turn, text='Mine.')", "that is no reply of that seat; turns are made of replies"),
        (
            "replace(turn, reading=replace(turn.reading, label='ESH', status='ok'))",
            "which is not what its reply says; an unreadable reply stays unreadable",
        ),
    ],
)
def test_turns_must_be_replies(change: str, says: str) -> None:
    made = f"replace(transcript, steps=tuple(tuple({change} for turn in step) for step in transcript.steps))"
    source = Source("tried.py", TEXT.replace("LINE", "pass").replace("return transcript", f"return {made}"))
    assert any(says in each.what for each in found(source) if each.law == "turns")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (said("random.randint(1, 9)"), "draws chance that nobody has logged; use draw(case.seed, 'a name')"),
        (said("random.Random().random()"), "draws chance that nobody has logged"),
        (said("uuid.uuid4()"), "draws chance that nobody has logged"),
        (said("time.time() > 0"), "reads a clock"),
        (said("datetime.now().year > 0"), "reads a clock"),
        (said("Path('/etc/hostname').exists()"), ""),
        (said("len(Path('/dev/null').read_text())"), "opens a file; a dialogue reads and writes nothing"),
        (said("len(os.listdir('/'))"), "asks the operating system"),
        (said("os.environ.get('HOME')"), "reads the environment"),
        (said("os.getenv('HOME')"), "reads the environment"),
        (said("_thread.start_new_thread(len, ('',)) > 0"), "starts a thread; whatever may be asked at the"),
        (said("id(ask) > 0"), "takes the address of an object with id()"),
        (said("hash(case.id) > 0"), "takes hash(), which is another one"),
        ("__import__('socket').socket().close()", None),
        (said("draw(case.seed, 'a')"), ""),
        (said("random.Random(draw(case.seed, 'a')).random()"), ""),
    ],
)
def test_the_watch_sees_what_it_does_beside_its_work(line: str, says: str | None) -> None:
    source = with_line(line)
    if says is None:
        with pytest.raises(ValueError, match="write an import statement"):
            imported(source)
        return
    watch = Watch(source)
    imported(source)
    trial = Trial(f"tried@{source.hash}")
    with watch.watching():
        trial.game(panels([2])[0], "agreeing")
    assert bool(says) == bool(watch.seen)
    assert all(each.startswith(f"tried.py:{LINE}: ") and says in each for each in watch.seen)
