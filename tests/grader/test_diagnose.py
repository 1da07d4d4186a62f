"""diagnose(): which known mistake gives exactly these tensors?

Nothing is run: programs are functions of a case.
"""

import dataclasses
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader import storage
from grader.answers import Answer
from grader.cache import IN_MEMORY
from grader.case import Case
from grader.comparison.compare import Expected
from grader.diagnosis import equality, fingerprints
from grader.diagnosis.hypotheses import TRIED, Hypothesis, best, likely_pairs
from grader.judge import judge
from grader.model import Diagnosis, Ended, Failure, Framework, Outcome, Run, Submission
from grader.problem import Edit, Mistake, Problem, composed, load
from grader.sandbox import SandboxPool
from tests.conftest import ROOT
from tests.grader import small
from tests.grader.small import FakeRoom, Program, returned

NUMPY = Framework.NUMPY
CASES = tuple(
    Case(
        f"case {i}",
        inputs={"q": np.full((1, 2), i + 1.0, np.float32), "k": np.eye(2, dtype=np.float32)},
        note="x",
    )
    for i in range(4)
)


def right(case: Case) -> Run:
    return returned(case.name, scores=case.inputs["q"] @ case.inputs["k"].T)


def times(factor: float, dtype: type = np.float32) -> Program:
    return lambda case: returned(
        case.name, scores=(right(case).tensors["scores"] * factor).astype(dtype)
    )


def raises(name: str, text: str = "text") -> Program:
    return lambda case: Run(
        case.name, Ended.RAISED, error=Failure(name, text, 3, (name, "Exception"))
    )


def in_cases(numbers: str, then: Program, otherwise: Program = right) -> Program:
    """One program for the cases of these numbers, another for the rest."""
    return lambda case: (then if case.name[-1] in numbers else otherwise)(case)


def nan(case: Case) -> Run:
    return returned(case.name, scores=np.array([[np.nan, case.inputs["q"][0, 0]]], np.float32))


def problem_with(tmp_path: Path, mistakes: Mapping[str, Outcome], slight: bool = False) -> Problem:
    """The small problem with mistakes whose sources are their names."""
    known = tuple(
        Mistake(name, f"hint of {name}", verdict, {NUMPY: name}, slight=slight)
        for name, verdict in mistakes.items()
    )
    return dataclasses.replace(small.problem(tmp_path), mistakes=known, digest=uuid.uuid4().hex)


def told(
    tmp_path: Path,
    learner: Program,
    mistakes: Mapping[str, Program],
    cases: tuple[Case, ...] = CASES,
    costs: str = "",
) -> Diagnosis | None:
    """What a learner is told where these mistakes are known; the one named in `costs` is about
    memory.
    """
    problem = problem_with(
        tmp_path,
        {n: Outcome.MEMORY_LIMIT if n == costs else Outcome.WRONG_ANSWER for n in mistakes},
    )
    room = FakeRoom(
        list(cases), {problem.references[NUMPY]: right, "theirs": learner, **mistakes}, drawn=True
    )
    return judge(problem, Submission(NUMPY, "theirs"), room).diagnosis


def ended(kind: Ended) -> Program:
    return lambda case: Run(case.name, kind)


EVERY = ("case 0", "case 1", "case 2", "case 3")
TOLD: dict[str, tuple[Program, dict[str, Program], tuple[str, tuple[str, ...]] | None]] = {
    "nothing wrong": (right, {"double": times(2)}, None),
    "equal everywhere": (times(2), {"half": times(0.5), "double": times(2)}, ("double", EVERY)),
    "equal to none": (times(3), {"half": times(0.5), "double": times(2)}, None),
    "equal to within rounding": (times(2 * (1 + 2e-7)), {"double": times(2)}, ("double", EVERY)),
    "close is not equal": (times(2.001), {"double": times(2)}, None),
    "equal where it fails, right elsewhere": (
        in_cases("13", times(2)),
        {"all": times(2), "some": in_cases("13", times(2))},
        ("some", ("case 1", "case 3")),
    ),
    "explains three, contradicts one": (
        in_cases("012", times(2), times(3)),
        {"double": times(2)},
        ("double", ("case 0", "case 1", "case 2")),
    ),
    "explains two, contradicts two": (
        in_cases("01", times(2), times(3)),
        {"double": times(2)},
        None,
    ),
    "the one that explains most": (
        in_cases("012", times(2), times(3)),
        {"triple": in_cases("2", times(3), right), "double": times(2)},
        ("double", ("case 0", "case 1", "case 2")),
    ),
    "of two alike, the first": (times(2), {"a": times(2), "b": times(2)}, ("a", EVERY)),
    "the same exception": (
        raises("ValueError"),
        {"type": raises("TypeError"), "value": raises("ValueError")},
        ("value", EVERY),
    ),
    "the same type of exception with other words": (
        raises("ValueError", "mine"),
        {"value": raises("ValueError")},
        None,
    ),
    "the same type of exception, and tensors that agree": (
        in_cases("01", raises("ValueError", "mine"), times(2)),
        {"value": in_cases("01", raises("ValueError"), times(2))},
        ("value", EVERY),
    ),
    "another exception": (raises("KeyError"), {"value": raises("ValueError")}, None),
    "an exception where the mistake gives numbers": (
        raises("ValueError"),
        {"double": times(2)},
        None,
    ),
    "numbers where the mistake raises": (times(2), {"value": raises("ValueError")}, None),
    "the same NaN": (nan, {"double": times(2), "nan": nan}, ("nan", EVERY)),
    "another width, and values of another mistake": (
        times(2, np.float64),
        {"wide": times(1, np.float16), "double": times(2)},
        ("double", EVERY),
    ),
    "another shape": (
        lambda case: returned(case.name, scores=np.zeros((2, 2), np.float32)),
        {
            "flat": lambda case: returned(case.name, scores=np.zeros(2, np.float32)),
            "square": lambda case: returned(case.name, scores=np.zeros((2, 2), np.float32)),
        },
        ("square", EVERY),
    ),
    "a mistake that we lost says nothing": (
        times(2),
        {"lost": ended(Ended.LOST), "double": times(2)},
        ("double", EVERY),
    ),
}


def test_nan_elsewhere_in_the_same_cases_is_a_guess(tmp_path: Path) -> None:
    def learner(case: Case) -> Run:
        return returned(case.name, scores=nan(case).tensors["scores"][:, ::-1])

    assert told(tmp_path, learner, {"nan": nan, "double": times(2)}) == Diagnosis(
        "nan", "hint of nan", EVERY, guess=True
    )
    assert told(tmp_path, learner, {"nan": nan, "other nan": nan}) is None
    like_one = in_cases("0", learner, nan)
    assert told(tmp_path, like_one, {"elsewhere": in_cases("0", nan, learner), "nan": nan}) == (
        Diagnosis("nan", "hint of nan", EVERY, guess=True)
    )


@pytest.mark.parametrize(("learner", "mistakes", "expected"), TOLD.values(), ids=TOLD.keys())
def test_what_is_told(
    tmp_path: Path,
    learner: Program,
    mistakes: dict[str, Program],
    expected: tuple[str, tuple[str, ...]] | None,
) -> None:
    found = told(tmp_path, learner, mistakes)
    assert found == (
        None if expected is None else Diagnosis(expected[0], f"hint of {expected[0]}", expected[1])
    )


def names(found: tuple[Diagnosis, ...]) -> dict[str, tuple[str, ...]]:
    return {diagnosis.mistake: diagnosis.cases for diagnosis in found}


SEVERAL: dict[str, tuple[Program, dict[str, tuple[str, ...]]]] = {
    "different cases show different mistakes": (
        in_cases("01", times(2), in_cases("3", times(3))),
        {"some": ("case 0", "case 1"), "last": ("case 3",)},
    ),
    "one that explains all needs no other": (times(2), {"double": EVERY}),
    "a third": (
        in_cases("01", times(2), in_cases("3", times(3), times(7))),
        {"some": ("case 0", "case 1"), "last": ("case 3",), "third": ("case 2",)},
    ),
    "what nothing explains contradicts only those that fail there": (
        in_cases("01", times(2), in_cases("2", times(11))),
        {"some": ("case 0", "case 1")},
    ),
}


@pytest.mark.parametrize(("learner", "expected"), SEVERAL.values(), ids=SEVERAL.keys())
def test_several_mistakes_at_once(
    tmp_path: Path, learner: Program, expected: dict[str, tuple[str, ...]]
) -> None:
    mistakes = {
        "double": times(2),
        "some": in_cases("01", times(2)),
        "last": in_cases("3", times(3)),
        "third": in_cases("2", times(7)),
    }
    problem = problem_with(tmp_path, dict.fromkeys(mistakes, Outcome.WRONG_ANSWER))
    programs = {problem.references[NUMPY]: right, "theirs": learner, **mistakes}
    room = FakeRoom(list(CASES), programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert names(found) == expected


def test_two_mistakes_that_act_on_each_other_are_both_named(tmp_path: Path) -> None:
    """Where each alone gives other numbers, the two edits together are tried."""
    problem = problem_with(tmp_path, dict.fromkeys(("one", "two", "three"), Outcome.WRONG_ANSWER))
    reference = problem.references[NUMPY]
    edits = {"one": Edit(0, 1, "1"), "two": Edit(2, 3, "2"), "three": Edit(2, 4, "3")}
    mistakes = tuple(dataclasses.replace(m, edits={NUMPY: edits[m.name]}) for m in problem.mistakes)
    problem = dataclasses.replace(problem, mistakes=mistakes)
    both = composed(reference, edits["one"], edits["two"])
    other = composed(reference, edits["one"], edits["three"])
    assert both is not None and other is not None
    assert composed(reference, edits["two"], edits["three"]) is None
    programs = {reference: right, "theirs": times(6), both: times(6), other: times(9)}
    programs |= {"one": times(2), "two": times(3), "three": times(4)}
    room = FakeRoom(list(CASES), programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert names(found) == {"one": EVERY, "two": EVERY}


def test_a_variant_of_a_mistake_and_another_mistake_are_both_named(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, dict.fromkeys(("one", "two"), Outcome.WRONG_ANSWER))
    reference = problem.references[NUMPY]
    one, two = problem.mistakes
    variant = reference[:2] + "3" + reference[3:]
    one = dataclasses.replace(one, edits={NUMPY: Edit(0, 1, "1")})
    two = dataclasses.replace(two, edits={NUMPY: Edit(2, 3, "2")}, variants={NUMPY: (variant,)})
    problem = dataclasses.replace(problem, mistakes=(one, two))
    both = composed(reference, one.edits[NUMPY], Edit(2, 3, "3"))
    plain = composed(reference, one.edits[NUMPY], two.edits[NUMPY])
    assert both is not None and plain is not None and both != plain
    programs = {reference: right, "theirs": times(10), both: times(10), plain: times(6)}
    programs |= {"one": times(2), "two": times(3), variant: times(5)}
    room = FakeRoom(list(CASES), programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert names(found) == {"one": EVERY, "two": EVERY}


def shows(name: str, surely: int, fails: int, contradicts: int = 0) -> Hypothesis:
    """A mistake that a submission shows in some of the cases in which the mistake fails."""
    return Hypothesis((name,), surely, surely, fails, contradicts, (name,))


@pytest.mark.parametrize(
    ("hypotheses", "expected"),
    [
        ((shows("one", 0b000011, 0b111011), shows("two", 0b001100, 0b111100)), ("one", "two")),
        ((shows("one", 0b000011, 0b111111),), ()),
        ((shows("one", 0b000011, 0b110011), shows("two", 0b000100, 0b110100)), ()),
        ((shows("one", 0b000011, 0b000011, 1),), ("one",)),
        ((shows("one", 0b000001, 0b000001, 1),), ()),
    ],
    ids=[
        "each shown twice alone, elsewhere they meet",
        "one alone leaves most unexplained",
        "one of them is shown but once",
        "one case against it, two for it",
        "as much against it as for it",
    ],
)
def test_where_two_that_are_surely_made_meet_nothing_need_be_shown(
    hypotheses: tuple[Hypothesis, ...], expected: tuple[str, ...]
) -> None:
    assert best(hypotheses, 6)[0] == expected


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        (in_cases("01", raises("ValueError", "mine")), ("one", ("case 0", "case 1"))),
        (in_cases("012", raises("ValueError", "mine")), None),
        (in_cases("01", raises("KeyError", "mine")), None),
    ],
    ids=["in the same cases", "in one case more", "another exception"],
)
def test_who_raises_exactly_where_a_broken_rule_raises_has_broken_it(
    tmp_path: Path, learner: Program, expected: tuple[str, tuple[str, ...]] | None
) -> None:
    """An exception of the same type with another text says little, if it is not for a rule."""
    for rule in ("A rule", ""):
        problem = problem_with(tmp_path, {"one": Outcome.RUNTIME_ERROR})
        one = dataclasses.replace(problem.mistakes[0], rule=rule)
        problem = dataclasses.replace(problem, mistakes=(one,))
        programs = {problem.references[NUMPY]: right, "theirs": learner}
        programs |= {"one": in_cases("01", raises("ValueError"))}
        room = FakeRoom(list(CASES), programs, drawn=True)
        found = names(judge(problem, Submission(NUMPY, "theirs"), room).diagnoses)
        assert found == (dict([expected]) if expected and rule else {})


def test_zeros_and_nan_are_one_manner_of_failing(tmp_path: Path) -> None:
    """0 / 0, with a guard or without."""
    mistakes = {"zeros": times(0), "double": times(2)}
    assert told(tmp_path, times(np.nan), mistakes) == Diagnosis(
        "zeros", "hint of zeros", EVERY, guess=True
    )


def test_of_a_thousand_pairs_the_one_that_shows_alone_is_tried_first() -> None:
    """Each of all mistakes fails in every case; two of them surely explain one case each."""
    everywhere = 0b1111

    def fails(name: str, surely: int = 0) -> Hypothesis:
        return Hypothesis((name,), surely, surely, everywhere, 0, (name,))

    others = [fails(f"mistake {i}") for i in range(43)]
    singles = [*others, fails("no scale", 0b10), fails("relu", 0b100)]
    tried = likely_pairs(singles, 0b1, everywhere)
    assert len(tried) == len(singles) * (len(singles) - 1) // 2 > TRIED
    assert tried[0] == ("no scale", "relu")


def test_a_case_of_nan_does_not_choose_the_pair(tmp_path: Path) -> None:
    """In the smallest case every pair ends in NaN, as the submission does; the next one tells them
    apart.
    """
    others = [f"other {i}" for i in range(6)]
    problem = problem_with(tmp_path, dict.fromkeys(("one", *others, "two"), Outcome.WRONG_ANSWER))
    reference = problem.references[NUMPY]
    edits = {name: Edit(2, 4, f"{i}") for i, name in enumerate((*others, "two"))}
    edits["one"] = Edit(0, 1, "1")
    mistakes = tuple(dataclasses.replace(m, edits={NUMPY: edits[m.name]}) for m in problem.mistakes)
    problem = dataclasses.replace(problem, mistakes=mistakes)
    programs = {reference: right, "one": in_cases("0", nan, times(2))}
    for i, name in enumerate((*others, "two")):
        programs[name] = times(3 + i)
        both = composed(reference, edits["one"], edits[name])
        assert both is not None
        programs[both] = in_cases("0", nan, times(2 * (3 + i)))
    programs["theirs"] = in_cases("0", nan, times(18))
    larger = [
        dataclasses.replace(case, inputs={**case.inputs, "q": np.tile(case.inputs["q"], (2, 1))})
        for case in CASES[1:]
    ]
    room = FakeRoom([CASES[0], *larger], programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert set(names(found)) == {"one", "two"}


LINE = "    return j <= i + key_len - query_len  # (L, S)"


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        (("j <= i", "j < i"), ("i + key_len - query_len", "i"), "return j < i"),
        (
            ("return j <= i + key_len", "return (j <= i + key_len"),
            ("i + key_len", "i"),
            None,  # no Python
        ),
        (
            ("j <= i + key_len - query_len", "(j <= i + key_len - query_len).T"),
            ("j <= i + key_len - query_len", "np.where(j <= i + key_len - query_len, 0, 1)"),
            "return np.where((j <= i + key_len - query_len).T, 0, 1)",
        ),
        (("j <= i", "j < i"), ("j <= i", "j > i"), None),
        (  # what one takes out, the other need not change
            ("j <= i + key_len - query_len", "j < i + key_len - 1"),
            ("key_len - query_len", "key_len"),
            "return j < i + key_len",
        ),
        (  # at its end something may begin or end all the same
            ("i + key_len - query_len", "i"),
            ("return j <= i + key_len - query_len", "return (j <= i + key_len - query_len).int()"),
            "return (j <= i).int()",
        ),
        (
            ("i + key_len - query_len", "i"),
            ("key_len - query_len", "max(key_len - query_len, 0)"),
            None,
        ),
        (("key_len - query_len", "key_len - 1"), ("key_len - query_len", "key_len"), None),
    ],
)
def test_two_edits_of_one_line(
    one: tuple[str, str], two: tuple[str, str], both: str | None
) -> None:
    """They are composed where they change different words."""
    reference = "def mask(i, j, key_len, query_len):\n" + LINE + "\n"

    def edit(find: str, replace: str) -> Edit:
        start = reference.index(find)
        return Edit(start, start + len(find), replace)

    found = composed(reference, edit(*one), edit(*two))
    assert found == (both and reference.replace(LINE, f"    {both}  # (L, S)"))


def test_of_two_that_act_on_each_other_each_is_told_with_its_own_cases(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, dict.fromkeys(("one", "two"), Outcome.WRONG_ANSWER))
    reference = problem.references[NUMPY]
    edits = {"one": Edit(0, 1, "1"), "two": Edit(2, 3, "2")}
    mistakes = tuple(dataclasses.replace(m, edits={NUMPY: edits[m.name]}) for m in problem.mistakes)
    problem = dataclasses.replace(problem, mistakes=mistakes)
    both = composed(reference, edits["one"], edits["two"])
    assert both is not None
    learner = in_cases("3", times(6), times(2))
    programs = {reference: right, "theirs": learner, both: learner}
    programs |= {"one": times(2), "two": in_cases("3", times(3))}
    room = FakeRoom(list(CASES), programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert names(found) == {"one": EVERY, "two": ("case 3",)}


BIG = (*CASES[:2], dataclasses.replace(CASES[2], memory_mib=64))
COSTS = {
    "too much memory, as the mistake about memory": (
        in_cases("2", ended(Ended.MEMORY)),
        ("dense", ("case 2",)),
    ),
    "too much time is another matter": (in_cases("2", ended(Ended.WALL_TIME)), None),
    "wrong and too much memory": (
        in_cases("2", ended(Ended.MEMORY), times(2)),
        ("double", ("case 0", "case 1")),
    ),
}


@pytest.mark.parametrize(("learner", "expected"), COSTS.values(), ids=COSTS.keys())
def test_cases_about_cost(
    tmp_path: Path, learner: Program, expected: tuple[str, tuple[str, ...]] | None
) -> None:
    mistakes = {"double": times(2), "dense": right}
    found = told(tmp_path, learner, mistakes, BIG, costs="dense")
    assert found == (
        None if expected is None else Diagnosis(expected[0], f"hint of {expected[0]}", expected[1])
    )


def test_mistakes_are_not_run_on_cases_about_cost(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    room = FakeRoom(
        list(BIG),
        {problem.references[NUMPY]: right, "theirs": times(2), "double": times(2)},
        drawn=True,
    )
    judge(problem, Submission(NUMPY, "theirs"), room)
    (job,) = [job for job in room.jobs if job.source == "double"]
    assert [case.name for case in job.cases] == ["case 0", "case 1"]


def test_a_mistake_of_another_framework_is_not_told(tmp_path: Path) -> None:
    problem = dataclasses.replace(
        problem_with(tmp_path, {}),
        mistakes=(Mistake("torch_only", "h", Outcome.WRONG_ANSWER, {Framework.TORCH: "double"}),),
    )
    room = FakeRoom(
        list(CASES),
        {problem.references[NUMPY]: right, "theirs": times(2), "double": times(2)},
        drawn=True,
    )
    assert judge(problem, Submission(NUMPY, "theirs"), room).diagnosis is None


def test_only_the_cases_that_were_judged_count(tmp_path: Path) -> None:
    cases = (dataclasses.replace(CASES[0], sample=True), *CASES[1:])
    problem = problem_with(tmp_path, {"first": Outcome.WRONG_ANSWER})
    programs = {
        problem.references[NUMPY]: right,
        "theirs": times(2),
        "first": in_cases("0", times(2), times(5)),
    }
    found = judge(
        problem,
        Submission(NUMPY, "theirs"),
        FakeRoom(list(cases), programs, drawn=True),
        samples_only=True,
    )
    assert found.diagnosis == Diagnosis("first", "hint of first", ("case 0",))


# --------------------------------------------------------------------------------------------------------------------------
# cache


DOUBLE = times(2)


def asked(
    problem: Problem, mistakes: Mapping[str, Program], learner: Program = DOUBLE
) -> tuple[Diagnosis | None, list[str]]:
    """The diagnosis, and the sources that had to be run for it."""
    room = FakeRoom(
        list(CASES), {problem.references[NUMPY]: right, "theirs": learner, **mistakes}, drawn=True
    )
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnosis
    return found, [job.source for job in room.jobs if job.source in mistakes]


@pytest.fixture
def forget() -> Callable[[], None]:
    """Lose what is in memory; only the disk remains."""
    return fingerprints._runs.clear


ALL_KINDS: dict[str, Program] = {
    "double": times(2),
    "value": raises("ValueError"),
    "nan": nan,
    "mask": in_cases("1", times(3)),
}


@pytest.mark.parametrize("learner", ALL_KINDS.values(), ids=ALL_KINDS.keys())
def test_mistakes_are_run_once_and_kept_on_disk(
    tmp_path: Path, forget: Callable[[], None], learner: Program
) -> None:
    problem = problem_with(tmp_path, dict.fromkeys(ALL_KINDS, Outcome.WRONG_ANSWER))
    fresh, run = asked(problem, ALL_KINDS, learner)
    assert fresh is not None and run == list(ALL_KINDS)
    assert asked(problem, ALL_KINDS, learner) == (fresh, [])
    forget()
    assert asked(problem, ALL_KINDS, learner) == (fresh, [])


def test_threads_that_diagnose_at_once_run_each_mistake_once(
    tmp_path: Path, forget: Callable[[], None]
) -> None:
    problem, ends = (
        problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER, "half": Outcome.WRONG_ANSWER}),
        list[Any](),
    )
    start = threading.Barrier(6)

    def slow(case: Case) -> Run:
        time.sleep(0.05)  # long enough for every other thread to ask
        return DOUBLE(case)

    def work() -> None:
        start.wait(30)
        ends.append(asked(problem, {"double": slow, "half": times(0.5)}))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [end.mistake for end, _ in ends] == ["double"] * 6
    assert sorted(name for _, run in ends for name in run) == ["double", "half"]


def test_what_is_kept_of_mistakes_is_bounded(tmp_path: Path, forget: Callable[[], None]) -> None:
    """From several threads at once: each drops what is too much, and none what another is reading."""
    forget()
    problems = [
        problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER}) for _ in range(IN_MEMORY + 8)
    ]
    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(lambda problem: asked(problem, {"double": times(2)})[0], problems))
    assert [end and end.mistake for end in ends] == ["double"] * len(problems)
    assert len(fingerprints._runs) == IN_MEMORY


@pytest.mark.parametrize("slight", [False, True])
def test_a_slight_mistake_may_pass_where_its_twin_fails(tmp_path: Path, slight: bool) -> None:
    """Other draws of a case may hide it; of any other mistake, such a case says that it was not
    made.
    """
    problem = problem_with(tmp_path, {"cut": Outcome.WRONG_ANSWER}, slight)
    programs = {
        problem.references[NUMPY]: right,
        "theirs": in_cases("1", times(2)),
        "cut": in_cases("12", times(2)),
    }
    room = FakeRoom(list(CASES), programs, drawn=True)
    found = judge(problem, Submission(NUMPY, "theirs"), room).diagnoses
    assert names(found) == ({"cut": ("case 1",)} if slight else {})


@pytest.mark.parametrize(
    ("learner", "expected"),
    [
        (times(2), {"double": EVERY}),
        (times(5), {"double": EVERY}),
        (in_cases("0", times(5), times(4)), {"double": EVERY[1:]}),
        (times(7), {}),
    ],
    ids=["itself", "a variant", "more like one variant", "no variant"],
)
def test_a_variant_is_told_as_the_mistake(
    tmp_path: Path, learner: Program, expected: dict[str, tuple[str, ...]]
) -> None:
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    (double,) = problem.mistakes
    double = dataclasses.replace(double, variants={NUMPY: ("four", "five")})
    problem = dataclasses.replace(problem, mistakes=(double,))
    programs = {problem.references[NUMPY]: right, "theirs": learner}
    programs |= {"double": times(2), "four": times(4), "five": times(5)}
    room = FakeRoom(list(CASES), programs, drawn=True)
    assert names(judge(problem, Submission(NUMPY, "theirs"), room).diagnoses) == expected


def test_a_verdict_alone_runs_neither_mistake_nor_twin(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    programs = {problem.references[NUMPY]: right, "theirs": times(2), "double": times(2)}
    room = FakeRoom(list(CASES), programs, drawn=True)
    submission = Submission(NUMPY, "theirs")
    brief = judge(problem, submission, room, explain=False)
    assert [job.source for job in room.jobs][-1:] == ["theirs"]
    assert [job.source for job in room.jobs].count("theirs") == 1
    whole = judge(problem, submission, room)
    assert (brief.verdict, brief.score) == (whole.verdict, whole.score)
    assert brief.diagnoses == () and names(whole.diagnoses) == {"double": EVERY}


def test_a_right_solution_runs_no_mistake(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    assert asked(problem, {"double": times(2)}, right) == (None, [])


def path_of(problem: Problem) -> Path:
    (found,) = [
        p for p in (storage.cache_folder() / "mistakes").iterdir() if problem.digest[:12] in p.name
    ]
    return found


@pytest.mark.parametrize(
    "change",
    [lambda data: b"", lambda data: data[:40], lambda data: data.replace(b"returned", b"vanished")],
)
def test_a_broken_file_is_computed_again(
    tmp_path: Path, forget: Callable[[], None], change: Callable[[bytes], bytes]
) -> None:
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    fresh, _ = asked(problem, {"double": times(2)})
    path_of(problem).write_bytes(change(path_of(problem).read_bytes()))
    forget()
    assert asked(problem, {"double": times(2)}) == (fresh, ["double"])


def test_parameters_of_a_module_are_the_same_when_they_come_from_the_file(
    tmp_path: Path, forget: Callable[[], None]
) -> None:
    """JSON knows no tuples."""

    def with_bias(case: Case) -> Run:
        failure = Failure("parameter_names", details={"missing": (), "unexpected": ("W_q.bias",)})
        return Run(case.name, Ended.BAD_STATE, error=failure)

    problem = problem_with(tmp_path, {"bias": Outcome.WRONG_ANSWER})
    fresh, _ = asked(problem, {"bias": with_bias}, with_bias)
    assert fresh is not None and fresh.mistake == "bias"
    forget()
    assert asked(problem, {"bias": with_bias}, with_bias) == (fresh, [])


@pytest.mark.parametrize("end", [Ended.LOST, Ended.WALL_TIME])
def test_what_an_accident_left_out_is_not_kept(
    tmp_path: Path, forget: Callable[[], None], end: Ended
) -> None:
    """A room that dies under the mistakes, or a machine too busy for them, costs one diagnosis, not
    all of them for ever.
    """
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    assert asked(problem, {"double": ended(end)}) == (None, ["double"])
    found, run = asked(problem, {"double": times(2)})
    assert run == ["double"] and found is not None and found.mistake == "double"


def test_a_mistake_with_random_results_is_known_by_the_cases_that_it_fails(tmp_path: Path) -> None:
    problem = problem_with(tmp_path, {"drops": Outcome.WRONG_ANSWER})
    problem = dataclasses.replace(
        problem, mistakes=(dataclasses.replace(problem.mistakes[0], random=True),)
    )
    generator = np.random.default_rng(1)

    def changing(case: Case) -> Run:
        return times(generator.uniform(2, 9))(case)

    for numbers, theirs, hint in (
        ("3", changing, "drops"),
        ("3", times(5), None),  # the same each time, so nothing random is in it
        ("23", changing, None),
        ("2", changing, None),
    ):
        programs = {
            problem.references[NUMPY]: right,
            "theirs": in_cases(numbers, theirs),
            "drops": in_cases("3", times(2)),
        }
        found = judge(
            problem, Submission(NUMPY, "theirs"), FakeRoom(list(CASES), programs, drawn=True)
        ).diagnosis
        assert (found and found.mistake) == hint


@pytest.mark.parametrize(
    ("spread", "off", "same"),
    [(1.0, 0.015, True), (1.0, 0.03, False), (9.0, 0.15, True), (9.0, 0.25, False)],
    ids=[
        "as wide as the answer",
        "as wide, too far",
        "nine times as wide",
        "nine times as wide, too far",
    ],
)
def test_statistics_are_as_exact_as_the_spread_allows(
    spread: float, off: float, same: bool
) -> None:
    expected = {"spread.output": Expected(np.ones(3), "float64", 0.02)}
    answer = Answer(Case("c", inputs={}, note="x", draws=5), expected)
    theirs, ours = (
        returned("c", **{"spread.output": np.full(3, spread)}),
        returned("c", **{"spread.output": np.full(3, spread + off)}),
    )
    assert equality.same_tensors(ours, theirs, answer) is same


DTYPES = {
    "integers of another width": ("bool", np.uint8([0, 1]), np.int64([0, 1]), True),
    "0.0 and 1.0 for True and False": ("bool", np.float32([0, 1]), np.int64([0, 1]), True),
    "other numbers for True and False": ("bool", np.float32([0, -9]), np.int64([0, 1]), False),
    "True and False, and numbers": ("bool", np.array([False, True]), np.int64([0, 1]), False),
    "integers for floats": ("float32", np.int32([0, 1]), np.int64([0, 1]), True),
    "floats of another width": ("float32", np.float64([0, 1]), np.float16([0, 1]), True),
    "a narrower float": ("float64", np.float32([0, 1]), np.float64([0, 1]), False),
    "a float where integers are due": ("int64", np.float64([0, 1]), np.int32([0, 1]), False),
    "a wider float, rounded": (
        "float32",
        np.float64([1000, 1 + 1e-5]),
        np.float32([1000, 1]),
        True,
    ),
    "a wider float": ("float32", np.float64([1000, 1.1]), np.float32([1000, 1]), False),
    "it overflows later": ("float32", np.float64([7, np.nan]), np.float32([np.nan] * 2), True),
    "it does not overflow": ("float32", np.float64([7, 8]), np.float32([np.nan] * 2), False),
    "it overflows elsewhere": ("float32", np.float64([np.nan, 8]), np.float32([7, np.nan]), False),
    "one dtype, NaN elsewhere": (
        "float32",
        np.float32([7, np.nan]),
        np.float32([np.nan] * 2),
        False,
    ),
}


@pytest.mark.parametrize(("due", "ours", "theirs", "same"), DTYPES.values(), ids=DTYPES.keys())
def test_dtypes_count_as_far_as_they_tell_mistakes_apart(
    due: str, ours: np.ndarray, theirs: np.ndarray, same: bool
) -> None:
    answer = Answer(Case("c", note="x"), {"mask": Expected(np.array([1, 1]), due, 0.0)})
    assert (
        equality.same_tensors(returned("c", mask=ours), returned("c", mask=theirs), answer) is same
    )


@pytest.mark.parametrize(
    ("name", "expected"), [("AssertionError", "assertion"), ("KeyError", None)]
)
def test_where_an_exception_is_due_its_type_is_enough(
    tmp_path: Path, name: str, expected: str | None
) -> None:
    """What it says is the learner's own."""
    due = dataclasses.replace(CASES[3], raises="ValueError")
    right_or_raised = in_cases("3", raises("ValueError"))
    problem = problem_with(tmp_path, {"assertion": Outcome.WRONG_ANSWER})
    programs = {
        problem.references[NUMPY]: right_or_raised,
        "theirs": in_cases("3", raises(name, "my words")),
        "assertion": in_cases("3", raises("AssertionError")),
    }
    found = judge(
        problem, Submission(NUMPY, "theirs"), FakeRoom([*CASES[:3], due], programs, drawn=True)
    ).diagnosis
    assert (found and found.mistake) == expected


def test_what_only_costs_too_much_is_no_part_of_a_pair(sandbox: SandboxPool) -> None:
    """`matrix_first` gives the reference's values; beside another mistake their edits give others."""
    problem = load(ROOT, "linear_attention")
    known = tuple(m for m in problem.mistakes if m.name != "normaliser_of_the_batch")
    problem = dataclasses.replace(problem, digest="without it" * 7, mistakes=known)
    reference = problem.references[Framework.NUMPY]
    line = "k.sum(axis=-2)[..., None]"
    assert line in reference
    source = reference.replace(line, "k.sum(axis=(0, 1))[None, :, None]")
    verdict = judge(problem, Submission(Framework.NUMPY, source), sandbox)
    assert verdict.verdict is Outcome.WRONG_ANSWER
    assert "matrix_first" not in {told.mistake for told in verdict.diagnoses}
