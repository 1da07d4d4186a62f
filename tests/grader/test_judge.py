"""judge(): every way in which a call can end, and the verdict and sentence that belong to it.

Nothing is run: the room is a fake.
"""

import dataclasses
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.case import Case
from grader.errors import JudgeError, ProblemError, UsageError
from grader.findings import phrases
from grader.findings.codes import Code
from grader.findings.sentences import sentences
from grader.judge import judge
from grader.model import (
    CaseResult,
    Ended,
    Failure,
    Framework,
    Limits,
    Outcome,
    Phase,
    Run,
    Submission,
    Twin,
    Verdict,
)
from grader.problem import Problem
from tests.grader import small
from tests.grader.small import FakeRoom, Program, returned

Q, K = (
    np.array([[1.0, 2.0]], np.float32),
    np.array([[3.0, 5.0], [7.0, 11.0], [0.5, 0.25]], np.float32),
)
SAMPLE = Case("sample", inputs={"q": Q, "k": K}, sample=True, note="Small.")
HIDDEN = Case("hidden", inputs={"q": 2 * Q, "k": K}, points=2, note="Other numbers.")
MUST_RAISE = Case(
    "refused",
    inputs={"q": Q, "k": K[:, :1]},
    raises="ValueError",
    sample=True,
    note="Sizes differ.",
)


def right(case: Case) -> Run:
    """What a right solution does."""
    if case.raises:
        return Run(
            case.name, Ended.RAISED, error=Failure(case.raises, "no", 3, (case.raises, "Exception"))
        )
    return returned(
        case.name, scores=case.inputs["q"] @ case.inputs["k"].T * case.inputs["q"].dtype.type(1)
    )


def doubled(case: Case) -> Run:
    """What the mistake 'doubled' does."""
    return (
        returned(case.name, scores=2 * right(case).tensors["scores"])
        if not case.raises
        else right(case)
    )


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """The small problem, never seen by any cache."""
    found = small.problem(tmp_path)
    return dataclasses.replace(
        found, digest=uuid.uuid4().hex, limits=Limits(wall_s=3, cpu_s=4, memory_mib=256)
    )


def room(problem: Problem, learner: Program, *cases: Case) -> FakeRoom:
    """A fake that knows the reference, the mistakes, and a learner whose source is 'theirs'."""
    programs: dict[str, Program] = {problem.references[Framework.NUMPY]: right, "theirs": learner}
    programs |= {
        m.sources[Framework.NUMPY]: doubled if m.name == "doubled" else right
        for m in problem.mistakes
    }
    return FakeRoom(list(cases or (SAMPLE, HIDDEN)), programs)


def judged(problem: Problem, learner: Program, *cases: Case, **options: Any) -> Verdict:
    """The verdict of a learner's program."""
    return judge(
        problem, Submission(Framework.NUMPY, "theirs"), room(problem, learner, *cases), **options
    )


# --------------------------------------------------------------------------------------------------
# every end × verdict × sentence


def ends(
    ended: Ended, error: Failure | None = None, phase: Phase = Phase.CALL, **measured: float
) -> Program:
    return lambda case: Run(case.name, ended, error=error, phase=phase, **measured)  # type: ignore[arg-type]


def gives(**tensors: object) -> Program:
    return lambda case: returned(case.name, **tensors)


VALUE = Failure(
    "ValueError", "operands do not fit", 12, ("ValueError", "Exception", "BaseException", "object")
)
SYNTAX = Failure(
    "SyntaxError",
    "invalid syntax",
    2,
    ("SyntaxError", "Exception"),
    '  File "solution.py", line 2\n    a b\n      ^\n',
)
LATE = " (while the file was being loaded)"
ENDS: dict[str, tuple[Program, Outcome, str]] = {
    "right": (right, Outcome.ACCEPTED, ""),
    "wrong": (doubled, Outcome.WRONG_ANSWER, "scores: 3 of 3 values differ, by up to 29 (allowed"),
    "another shape": (
        gives(scores=np.ones((3, 1), np.float32)),
        Outcome.WRONG_ANSWER,
        "scores has shape (3, 1); expected (1, 3), that is (L, S)",
    ),
    "nothing": (
        lambda case: Run(case.name, Ended.RETURNED, {}, {"scores": "builtins.NoneType"}),
        Outcome.WRONG_ANSWER,
        (
            "scores is None; expected a plain float32 array. Does every path of the function"
            " return it?"
        ),
    ),
    "raised": (
        ends(Ended.RAISED, VALUE),
        Outcome.RUNTIME_ERROR,
        "line 12: ValueError: operands do not fit",
    ),
    "raised, and nobody knows where": (
        ends(Ended.RAISED, Failure("KeyError", "'q'", None, ("KeyError",))),
        Outcome.RUNTIME_ERROR,
        "KeyError: 'q'",
    ),
    "raised without a word": (
        ends(Ended.RAISED, Failure("ValueError", "", 4, ("ValueError",))),
        Outcome.RUNTIME_ERROR,
        "line 4: ValueError",
    ),
    "not implemented": (
        ends(Ended.RAISED, Failure("NotImplementedError", "", 5, ("NotImplementedError",))),
        Outcome.RUNTIME_ERROR,
        "line 5: not implemented yet",
    ),
    "left by SystemExit": (
        ends(Ended.RAISED, Failure("SystemExit", "0", 5, ("SystemExit", "BaseException"))),
        Outcome.RUNTIME_ERROR,
        "line 5: SystemExit: 0",
    ),
    "parameters of other names": (
        ends(Ended.BAD_STATE, Failure("parameter_names", details={"missing": ("W", 3)})),
        Outcome.WRONG_ANSWER,
        "the parameters have other names than the statement gives (missing: W)",
    ),
    "parameters of another shape": (
        ends(
            Ended.BAD_STATE,
            Failure("parameter_shape", details={"parameter": "W", "shape": (2, "x")}),
        ),
        Outcome.WRONG_ANSWER,
        "parameter W has shape (2,); it must be ()",
    ),
    "an entry that makes no module": (
        ends(Ended.BAD_STATE, Failure("not_a_module", details={"entry": "A", "made": ("x",)})),
        Outcome.WRONG_ANSWER,
        "A is a class of its own; it must be a class derived from torch.nn.Module",
    ),
    "parameters, and nothing said of them": (
        ends(Ended.BAD_STATE, Failure("state", "anything")),
        Outcome.WRONG_ANSWER,
        "the module's parameters are not the ones that the statement names",
    ),
    "killed by a signal": (
        ends(Ended.DIED, Failure("SIGSEGV", "signal")),
        Outcome.RUNTIME_ERROR,
        "the process was ended by this signal: SIGSEGV",
    ),
    "left by os._exit": (
        ends(Ended.DIED, Failure("exit 0", "exit")),
        Outcome.RUNTIME_ERROR,
        "the program ended its own process: exit 0",
    ),
    "left while loading": (
        ends(Ended.DIED, Failure("exit 0", "exit"), Phase.IMPORT),
        Outcome.RUNTIME_ERROR,
        "the program ended its own process: exit 0" + LATE,
    ),
    "asleep": (
        ends(Ended.WALL_TIME, cpu_ms=5),
        Outcome.TIME_LIMIT,
        "no answer after 3 s; it was waiting, not computing",
    ),
    "in a loop": (
        ends(Ended.WALL_TIME, cpu_ms=2900),
        Outcome.TIME_LIMIT,
        "no answer after 3 s; it was still computing",
    ),
    "not run after others in a loop": (
        ends(Ended.WALL_TIME, executed=False),
        Outcome.TIME_LIMIT,
        "not run: it ended in the same way in several cases before",
    ),
    "not run after a loop while loading": (
        ends(Ended.WALL_TIME, None, Phase.IMPORT, executed=False),
        Outcome.TIME_LIMIT,
        "no answer after 3 s" + LATE,
    ),
    "in a loop while loading": (
        ends(Ended.WALL_TIME, None, Phase.IMPORT, cpu_ms=2900),
        Outcome.TIME_LIMIT,
        "no answer after 3 s; it was still computing" + LATE,
    ),
    "too much CPU": (
        ends(Ended.CPU_TIME, cpu_ms=4100),
        Outcome.TIME_LIMIT,
        "4.1 s of CPU; allowed 4 s",
    ),
    "too much memory": (ends(Ended.MEMORY), Outcome.MEMORY_LIMIT, "more than 256 MiB of memory"),
    "too much memory in a known line": (
        ends(Ended.MEMORY, Failure("MemoryError", "", 9)),
        Outcome.MEMORY_LIMIT,
        "more than 256 MiB of memory (line 9)",
    ),
    "too much printed": (
        ends(Ended.OUTPUT, Failure("printed")),
        Outcome.OUTPUT_LIMIT,
        "too much output: more than 64 KiB",
    ),
    "a frame that is too large": (
        ends(Ended.OUTPUT, Failure("tensors", details={"bytes": 70, "limit": 60})),
        Outcome.OUTPUT_LIMIT,
        "too much output: a frame of 70 bytes; at most 60 are allowed",
    ),
    "a frame that is too large, of unknown size": (
        ends(Ended.OUTPUT, Failure("tensors")),
        Outcome.OUTPUT_LIMIT,
        "too much output: the result is larger than allowed",
    ),
    "a frame that is none": (
        ends(Ended.GARBLED, Failure("frame", "not a frame")),
        Outcome.WRONG_ANSWER,
        "what came out is not a result: the program wrote to the result channel itself",
    ),
    "does not parse": (
        ends(Ended.NOT_LOADED, SYNTAX, Phase.IMPORT),
        Outcome.COMPILE_ERROR,
        'line 2: SyntaxError: invalid syntax\n  File "solution.py", line 2\n    a b\n      ^',
    ),
    "too deep to parse": (
        ends(Ended.NOT_LOADED, Failure("MemoryError", "", None, ("MemoryError",)), Phase.IMPORT),
        Outcome.COMPILE_ERROR,
        "MemoryError",
    ),
    "out of memory while loading": (
        ends(Ended.NOT_LOADED, Failure("MemoryError", "", 3, ("MemoryError",)), Phase.IMPORT),
        Outcome.MEMORY_LIMIT,
        "line 3: MemoryError",
    ),
    "raises while loading": (
        ends(
            Ended.NOT_LOADED,
            Failure("ImportError", "no module named pandas", 1, ("ImportError",)),
            Phase.IMPORT,
        ),
        Outcome.COMPILE_ERROR,
        "line 1: ImportError: no module named pandas",
    ),
    "exits while loading": (
        ends(Ended.NOT_LOADED, Failure("SystemExit", "0", 1, ("SystemExit",)), Phase.IMPORT),
        Outcome.RUNTIME_ERROR,
        "line 1: SystemExit: 0",
    ),
    "lacks the entry": (
        ends(
            Ended.NOT_LOADED,
            Failure("missing", "scores", None, ("attention", "helper")),
            Phase.IMPORT,
        ),
        Outcome.COMPILE_ERROR,
        "the file defines no function 'scores'; it defines attention, helper",
    ),
    "defines something else of that name": (
        ends(Ended.NOT_LOADED, Failure("not_callable", "scores", None, ("int",)), Phase.IMPORT),
        Outcome.COMPILE_ERROR,
        "'scores' must be a function; the file makes it a value of type int",
    ),
    "defines a class of that name": (
        ends(Ended.NOT_LOADED, Failure("not_callable", "scores", None, ("type",)), Phase.IMPORT),
        Outcome.COMPILE_ERROR,
        "'scores' must be a function; the file makes it a value of type class",
    ),
    "lacks everything": (
        ends(Ended.NOT_LOADED, Failure("missing", "scores"), Phase.IMPORT),
        Outcome.COMPILE_ERROR,
        "the file defines no function 'scores'; it defines nothing",
    ),
    "forbidden": (
        ends(Ended.FORBIDDEN, Failure("forbidden", "torch.softmax", 7), Phase.IMPORT),
        Outcome.RULE_VIOLATION,
        "line 7: torch.softmax is what this exercise asks you to write",
    ),
    "an import where none is allowed": (
        ends(Ended.FORBIDDEN, Failure("forbidden", "import", 1), Phase.IMPORT),
        Outcome.RULE_VIOLATION,
        "line 1: this exercise is solved without imports",
    ),
    "the room was lost": (
        ends(Ended.LOST, Failure("room", "the room was lost twice")),
        Outcome.JUDGE_ERROR,
        "the judge lost the room; this is not your fault, and nothing is scored",
    ),
}


def test_huge_results_are_not_kept(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Run] = []
    monkeypatch.setattr(
        "grader.diagnosis.causes.diagnose",
        lambda problem, answers, evidence, *_: (kept.extend(e.run for e in evidence if e.run), ())[
            1
        ],
    )
    found = judged(problem, gives(scores=np.ones((1, 1 << 20), np.float32)), SAMPLE, HIDDEN)
    assert (
        found.cases[0].message == "scores has shape (1, 1048576); expected (1, 3), that is (L, S)"
    )
    assert found.cases[0].got == {}
    assert [dict(run.tensors) for run in kept] == [{}]
    judged(problem, doubled, SAMPLE, HIDDEN)
    assert [run.tensors["scores"].shape for run in kept[1:]] == [(1, 3)]


@pytest.mark.parametrize(("learner", "outcome", "message"), ENDS.values(), ids=ENDS.keys())
def test_every_end(problem: Problem, learner: Program, outcome: Outcome, message: str) -> None:
    found = judged(problem, learner, SAMPLE, HIDDEN)
    result = found.cases[0]
    assert (found.verdict, result.verdict) == (outcome, outcome)
    assert (
        result.message.startswith(message)
        if outcome is Outcome.WRONG_ANSWER
        else result.message == message
    )
    assert result.points == (1 if outcome is Outcome.ACCEPTED else 0)


def test_every_end_is_in_the_table() -> None:
    known = {learner(SAMPLE).ended for learner, _, _ in ENDS.values()}
    assert known == set(Ended)


def test_every_outcome_is_in_the_table() -> None:
    assert {outcome for _, outcome, _ in ENDS.values()} == set(Outcome)


RAISES = {
    "as asked": (right, Outcome.ACCEPTED, ""),
    "a subclass of it": (
        ends(Ended.RAISED, Failure("MyError", "no", 3, ("MyError", "ValueError", "Exception"))),
        Outcome.ACCEPTED,
        "",
    ),
    "something else": (
        ends(Ended.RAISED, Failure("TypeError", "no", 3, ("TypeError", "Exception"))),
        Outcome.WRONG_ANSWER,
        "the call must raise ValueError, and raised something else: line 3: TypeError: no",
    ),
    "nothing": (
        gives(scores=1.0),
        Outcome.WRONG_ANSWER,
        "the call must raise ValueError; it returned a value",
    ),
    "it dies": (
        ends(Ended.DIED, Failure("exit 1", "exit")),
        Outcome.RUNTIME_ERROR,
        "the program ended its own process: exit 1",
    ),
    "it never ends": (
        ends(Ended.WALL_TIME),
        Outcome.TIME_LIMIT,
        "no answer after 3 s; it was waiting, not computing",
    ),
}


@pytest.mark.parametrize(("learner", "outcome", "message"), RAISES.values(), ids=RAISES.keys())
def test_a_case_that_must_raise(
    problem: Problem, learner: Program, outcome: Outcome, message: str
) -> None:
    found = judged(problem, learner, MUST_RAISE)
    assert (found.verdict, found.cases[0].message) == (outcome, message)


def test_a_limit_of_its_own_is_the_one_that_is_named(problem: Problem) -> None:
    cheap = dataclasses.replace(HIDDEN, memory_mib=64, cpu_factor=3.0)
    assert (
        judged(problem, ends(Ended.MEMORY), cheap).cases[0].message == "more than 64 MiB of memory"
    )
    slow = judged(problem, ends(Ended.CPU_TIME, cpu_ms=50), cheap)
    assert slow.cases[0].message == "over the time limit: 3 times the reference's CPU time"
    shown = dataclasses.replace(cheap, sample=True)
    assert (
        judged(problem, ends(Ended.CPU_TIME, cpu_ms=50), shown, seed=1).cases[0].message
        == "50 ms of CPU; allowed 3 ms, that is 3 times the reference's"
    )


@pytest.mark.parametrize(
    ("times", "outcome", "asked"),
    [
        ([2.9], Outcome.ACCEPTED, 1),
        ([4.0, 2.0], Outcome.ACCEPTED, 2),
        ([4.0, 4.4, 3.5], Outcome.TIME_LIMIT, 3),
        ([4.0, 3.5, 2.0], Outcome.ACCEPTED, 3),
        ([8.9, 2.0], Outcome.ACCEPTED, 2),
        ([50.0], Outcome.TIME_LIMIT, 1),
    ],
    ids=["in time", "slow once", "slow three times", "slow twice", "once very slow", "ended"],
)
def test_what_is_a_little_over_its_time_is_measured_again(
    problem: Problem, times: list[float], outcome: Outcome, asked: int
) -> None:
    """The reference takes 1 ms, and the limit is 3."""
    left = list(times)

    def slow(case: Case) -> Run:
        return dataclasses.replace(right(case), cpu_ms=0.0 if case.sample else left.pop(0))

    cheap = dataclasses.replace(HIDDEN, cpu_factor=3.0)
    found = judged(problem, slow, SAMPLE, cheap, explain=False)
    assert found.verdict is outcome
    assert len(times) - len(left) == asked


# ---------------------------------------------------------------------------------------------------------------
# the whole verdict


def after(first: Program, then: Program) -> Program:
    """One program for the sample, another for what is hidden."""
    return lambda case: first(case) if case.sample else then(case)


def test_accepted(problem: Problem) -> None:
    found = judged(problem, right, seed=5)
    assert (found.verdict, found.score, found.max_score, found.message) == (
        Outcome.ACCEPTED,
        3,
        3,
        "2 of 2 cases passed",
    )
    assert (
        found.problem,
        found.digest,
        found.framework,
        found.isolation,
        found.seed,
        found.diagnosis,
    ) == (
        "scores",
        problem.digest,
        Framework.NUMPY,
        "fake",
        5,
        None,
    )
    assert [(c.name, c.sample, c.points, c.max_points, c.note) for c in found.cases] == [
        ("sample", True, 1, 1, "Small."),
        ("hidden", False, 2, 2, "Other numbers."),
    ]


def test_the_verdict_is_that_of_the_first_failing_case(problem: Problem) -> None:
    found = judged(problem, after(doubled, ends(Ended.RAISED, VALUE)))
    assert [c.verdict for c in found.cases] == [Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR]
    assert found.verdict is Outcome.WRONG_ANSWER
    assert found.message == f"0 of 2 cases passed; first failure: sample: {found.cases[0].message}"


def test_the_score_is_the_points_of_the_cases_that_passed(problem: Problem) -> None:
    found = judged(problem, after(ends(Ended.RAISED, VALUE), right))
    assert (found.verdict, found.score, found.max_score) == (Outcome.RUNTIME_ERROR, 2, 3)


def test_a_case_that_we_lost_makes_the_whole_ours_and_scores_nothing(problem: Problem) -> None:
    found = judged(problem, after(doubled, ends(Ended.LOST)))
    assert (found.verdict, found.score, found.max_score, found.diagnosis) == (
        Outcome.JUDGE_ERROR,
        0,
        3,
        None,
    )


def test_a_failing_learner_is_told_the_mistake_that_gives_the_same_tensors(
    problem: Problem,
) -> None:
    found = judged(problem, doubled)
    assert found.diagnosis is not None
    assert (found.diagnosis.mistake, found.diagnosis.hint, found.diagnosis.cases) == (
        "doubled",
        "Every score is too large.",
        ("sample", "hidden"),
    )


def test_tensors_are_kept_of_samples_only(problem: Problem) -> None:
    sample, hidden = judged(
        problem, lambda case: dataclasses.replace(doubled(case), printed="hello")
    ).cases
    assert sample.case is not None and sample.printed == "hello"
    np.testing.assert_array_equal(sample.got["scores"], 2 * sample.expected["scores"])
    assert (hidden.got, hidden.expected, hidden.printed, hidden.case) == ({}, {}, "", None)


def test_a_tensor_that_nobody_wants_is_not_kept(problem: Problem) -> None:
    found = judged(
        problem,
        lambda case: returned(case.name, scores=np.zeros((1, 3), np.float32), other=np.zeros(9)),
    )
    assert set(found.cases[0].got) == {"scores"}


# ---------------------------------------------------------------------------------------------------------
# what is said when hidden


def on_hidden(then: Program, otherwise: Program = right) -> Program:
    """One program for hidden inputs (the room draws them twice as large), another for public ones."""
    return lambda case: (then if abs(case.inputs["q"]).max() > 4 else otherwise)(case)


def hidden(
    problem: Problem, learner: Program, case: Case = HIDDEN, drawn: bool = True
) -> CaseResult:
    """What is said of a hidden case."""
    fake = room(problem, learner, SAMPLE, case)
    fake.drawn = drawn
    return judge(problem, Submission(Framework.NUMPY, "theirs"), fake).cases[1]


SAID = Failure("Inputs12345", "q is 1 2", 4, ("Inputs12345", "ValueError", "Exception"))
GARBLED = ends(Ended.GARBLED, Failure("frame", "not a frame"))
HIDDEN_SAYS: dict[str, tuple[Program, Outcome, Twin, str]] = {
    "right": (right, Outcome.ACCEPTED, Twin.NOT_ASKED, ""),
    "wrong on both": (
        doubled,
        Outcome.WRONG_ANSWER,
        Twin.FAILS,
        "scores: 3 of 3 values differ, by up to 58 ",
    ),
    "raises on both": (
        ends(Ended.RAISED, SAID),
        Outcome.RUNTIME_ERROR,
        Twin.FAILS,
        "line 4: Inputs12345: q is 1 2",
    ),
    "wrong when hidden": (
        on_hidden(doubled),
        Outcome.WRONG_ANSWER,
        Twin.PASSES,
        phrases.SENTENCES[Code.ONLY_HIDDEN],
    ),
    "raises when hidden": (
        on_hidden(ends(Ended.RAISED, SAID)),
        Outcome.WRONG_ANSWER,
        Twin.PASSES,
        phrases.SENTENCES[Code.ONLY_HIDDEN],
    ),
    "dies when hidden": (
        on_hidden(ends(Ended.DIED, Failure("exit 7"))),
        Outcome.WRONG_ANSWER,
        Twin.PASSES,
        phrases.SENTENCES[Code.ONLY_HIDDEN],
    ),
    "raises when hidden, wrong when public": (
        on_hidden(ends(Ended.RAISED, SAID), doubled),
        Outcome.WRONG_ANSWER,
        Twin.FAILS,
        "scores: 3 of 3 values differ, by up to 58 ",
    ),
    "another shape when hidden, wrong when public": (
        on_hidden(gives(scores=np.ones((7, 7))), doubled),
        Outcome.WRONG_ANSWER,
        Twin.FAILS,
        "scores: 3 of 3 values differ, by up to 58 ",
    ),
    "no frame when hidden": (
        on_hidden(GARBLED),
        Outcome.WRONG_ANSWER,
        Twin.PASSES,
        phrases.SENTENCES[Code.ONLY_HIDDEN],
    ),
    "too much memory on both": (
        ends(Ended.MEMORY, Failure("MemoryError", "", 9)),
        Outcome.MEMORY_LIMIT,
        Twin.FAILS,
        "more than 256 MiB of memory (line 9)",
    ),
    "too much memory when hidden": (
        on_hidden(ends(Ended.MEMORY, Failure("MemoryError", "", 9))),
        Outcome.MEMORY_LIMIT,
        Twin.PASSES,
        "more than 256 MiB of memory",
    ),
    "not run, after others died": (
        ends(Ended.DIED, Failure("exit 7", "exit"), executed=False),
        Outcome.WRONG_ANSWER,
        Twin.NOT_ASKED,
        phrases.SENTENCES[Code.UNEXPLAINED],
    ),
    "too slow": (
        ends(Ended.WALL_TIME, cpu_ms=5),
        Outcome.TIME_LIMIT,
        Twin.NOT_ASKED,
        "over the time limit: 3 s for a call, 4 s of CPU and 60 s in all",
    ),
}


@pytest.mark.parametrize(
    ("learner", "outcome", "twin", "message"), HIDDEN_SAYS.values(), ids=HIDDEN_SAYS.keys()
)
def test_a_hidden_case_is_explained_by_its_public_twin(
    problem: Problem, learner: Program, outcome: Outcome, twin: Twin, message: str
) -> None:
    found = hidden(problem, learner)
    assert (found.verdict, found.twin) == (outcome, twin)
    assert found.message.startswith(message) if message else found.message == ""


def test_the_numbers_of_a_hidden_case_are_those_of_its_twin(problem: Problem) -> None:
    found = hidden(
        problem,
        lambda case: dataclasses.replace(doubled(case), printed=f"{case.inputs['q'].max()}"),
    )
    assert found.case is not None and found.printed == "4.0"
    np.testing.assert_array_equal(found.case.inputs["q"], 2 * Q)
    np.testing.assert_array_equal(found.got["scores"], 2 * found.expected["scores"])


FIXED = {
    "wrong": (doubled, Outcome.WRONG_ANSWER, "the values differ"),
    "another shape": (
        gives(scores=np.ones((3, 1), np.float32)),
        Outcome.WRONG_ANSWER,
        "a result has another shape than asked",
    ),
    "raised": (ends(Ended.RAISED, SAID), Outcome.RUNTIME_ERROR, "the call raised an exception"),
    "no frame": (GARBLED, Outcome.WRONG_ANSWER, "what came out is not a result"),
    "too much memory": (
        ends(Ended.MEMORY, Failure("MemoryError", "", 9)),
        Outcome.MEMORY_LIMIT,
        "more than 256 MiB of memory",
    ),
}


@pytest.mark.parametrize(("learner", "outcome", "message"), FIXED.values(), ids=FIXED.keys())
def test_a_case_in_which_nothing_is_drawn_says_the_kind_of_finding(
    problem: Problem, learner: Program, outcome: Outcome, message: str
) -> None:
    found = hidden(problem, learner, drawn=False)
    assert (found.verdict, found.twin, found.message) == (outcome, Twin.NONE, message)
    assert (found.got, found.expected, found.printed, found.case) == ({}, {}, "", None)


@pytest.mark.parametrize(
    "learner", [row[0] for row in HIDDEN_SAYS.values()], ids=HIDDEN_SAYS.keys()
)
def test_the_findings_of_a_hidden_case_are_those_of_its_message(
    problem: Problem, learner: Program
) -> None:
    found = hidden(problem, learner)
    assert sentences(found.findings) == found.message
    told = found.findings[0].parameters if found.findings else {}
    if found.twin is not Twin.FAILS:  # from the problem's limits, if anything
        assert told.keys() <= {"wall_s", "cpu_s", "total_s", "limit_mib"}


@pytest.mark.parametrize("learner", [row[0] for row in FIXED.values()], ids=FIXED.keys())
def test_a_case_in_which_nothing_is_drawn_gives_its_code_alone(
    problem: Problem, learner: Program
) -> None:
    (found,) = hidden(problem, learner, drawn=False).findings
    assert (found.line, found.loading) == (None, False)
    assert found.code is Code.OVER_MEMORY or not found.parameters


def test_times_and_memory_of_a_hidden_case_are_told_in_steps(problem: Problem) -> None:
    found = hidden(
        problem,
        lambda case: dataclasses.replace(right(case), wall_ms=19.9, cpu_ms=27.5, memory_mib=3.7),
    )
    assert (found.wall_ms, found.cpu_ms, found.memory_mib) == (10.0, 20.0, 3.0)


def test_samples_run_before_anything_hidden(problem: Problem) -> None:
    """What a sample returns and prints is shown whole; a program that has seen hidden inputs could
    show them there.
    """
    order: list[str] = []

    def learner(case: Case) -> Run:
        order.append(case.name)
        return right(case)

    found = judged(problem, learner, HIDDEN, SAMPLE)
    assert order == ["sample", "hidden"]
    assert [case.name for case in found.cases] == ["hidden", "sample"]


AFTERWARDS = Case("afterwards", inputs={"q": Q, "k": K}, wants=("after.q",), note="The caller's q.")


def leaves_alone(case: Case) -> Run:
    """A right solution, also where its inputs are looked at."""
    return right(case) if not case.wants else returned(case.name, **{"after.q": case.inputs["q"]})


def writes(case: Case) -> Run:
    """One that writes to an input where nobody looks."""
    return dataclasses.replace(leaves_alone(case), modified=not case.wants)


def afterwards(problem: Problem, learner: Program, *cases: Case, drawn: bool = True) -> Verdict:
    """The verdict of a learner's program; inputs are looked at in the first case that is listed."""
    fake = room(problem, learner, AFTERWARDS, *cases)
    fake.programs[problem.references[Framework.NUMPY]] = leaves_alone
    fake.drawn = drawn
    return judge(problem, Submission(Framework.NUMPY, "theirs"), fake)


@pytest.mark.parametrize(
    ("learner", "cases", "drawn", "twin", "message"),
    [
        (leaves_alone, (SAMPLE, HIDDEN), True, Twin.NOT_ASKED, ""),
        (writes, (SAMPLE, HIDDEN), True, Twin.NOT_ASKED, "in the case 'sample'"),
        (writes, (HIDDEN,), True, Twin.NOT_ASKED, "in the case 'hidden'"),
        (writes, (HIDDEN,), False, Twin.NOT_ASKED, "in the case 'hidden'"),
        (
            on_hidden(writes, leaves_alone),
            (HIDDEN,),
            True,
            Twin.PASSES,
            phrases.SENTENCES[Code.ONLY_HIDDEN],
        ),
    ],
    ids=["left alone", "a sample", "a hidden case", "nothing is drawn", "only when hidden"],
)
def test_an_input_that_is_modified_in_any_case_fails_the_case_that_looks_at_it(
    problem: Problem,
    learner: Program,
    cases: tuple[Case, ...],
    drawn: bool,
    twin: Twin,
    message: str,
) -> None:
    found = afterwards(problem, learner, *cases, drawn=drawn)
    first, *others = found.cases
    assert first.name == "afterwards" and {c.verdict for c in others} == {Outcome.ACCEPTED}
    assert (first.verdict is Outcome.WRONG_ANSWER) is bool(message)
    assert first.twin is twin and message in first.message
    assert (first.got, first.expected, first.case, first.printed) == ({}, {}, None, "")


def test_what_fails_anyway_is_not_held_against_another_case(problem: Problem) -> None:
    def learner(case: Case) -> Run:
        return dataclasses.replace(
            doubled(case) if not case.wants else leaves_alone(case), modified=True
        )

    found = afterwards(problem, learner, SAMPLE, HIDDEN)
    assert [c.verdict is Outcome.ACCEPTED for c in found.cases] == [True, False, False]


def test_of_two_cases_that_look_at_inputs_one_fails(problem: Problem) -> None:
    found = afterwards(problem, writes, dataclasses.replace(AFTERWARDS, name="again"), HIDDEN)
    assert sum(c.verdict is not Outcome.ACCEPTED for c in found.cases) == 1


def test_cases_that_differ_between_seeds_by_name_are_the_instructors_fault(
    problem: Problem,
) -> None:
    class Moody(FakeRoom):
        def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
            return [dataclasses.replace(HIDDEN, name=f"hidden {seed}")]

    fake = room(problem, right)
    with pytest.raises(
        ProblemError,
        match=(
            r"cases.py: yields other cases for another seed \(such as 'hidden \d+'\); draw values"
        ),
    ):
        judge(problem, Submission(Framework.NUMPY, "theirs"), Moody(fake.cases, fake.programs))


# ----------------------------------------------------------------------------------------------------
# what may not become our fault


def test_a_failure_of_the_comparison_is_a_wrong_answer_and_logged(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("grader.verdict.outcome.agrees", broken)
    found = judged(problem, right)
    assert found.verdict is Outcome.WRONG_ANSWER
    assert found.cases[0].message == "the result could not be compared with the answer"
    assert "comparing failed" in caplog.text


def test_a_failure_of_the_diagnosis_costs_only_the_hint(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("grader.diagnosis.causes.diagnose", broken)
    found = judged(problem, doubled)
    assert (found.verdict, found.diagnosis) == (Outcome.WRONG_ANSWER, None)


@pytest.mark.parametrize("letter", ["x", "\u2028", "\U0001f600", '"'])
def test_a_verdict_stays_small_whatever_is_submitted(problem: Problem, letter: str) -> None:
    cases = [dataclasses.replace(SAMPLE, name=f"sample {i}") for i in range(40)]
    long = ends(Ended.RAISED, Failure("ValueError", letter * 300_000, 3, ("ValueError",)))
    found = judged(problem, long, *cases)
    assert 1000 < len(json.dumps(found.to_json())) <= 256 * 1024


def test_each_case_is_shown_as_soon_as_it_is_judged(problem: Problem) -> None:
    order: list[str] = []

    def learner(case: Case) -> Run:
        order.append(f"run {case.name}")
        return right(case)

    judged(problem, learner, on_case=lambda result: order.append(f"saw {result.name}"))
    assert order == ["run sample", "saw sample", "run hidden", "saw hidden"]


def test_samples_only(problem: Problem) -> None:
    found = judged(problem, right, samples_only=True)
    assert ([c.name for c in found.cases], found.max_score) == (["sample"], 1)


def test_what_was_measured_is_passed_on(problem: Problem) -> None:
    found = judged(
        problem,
        lambda case: dataclasses.replace(right(case), wall_ms=1.5, cpu_ms=2.5, memory_mib=3.5),
    ).cases[0]
    assert (found.wall_ms, found.cpu_ms, found.memory_mib) == (1.5, 2.5, 3.5)


# ------------------------------------------------------------------------------------------------------------------
# what is asked


def asked(problem: Problem, source: str = "theirs", **options: Any) -> Any:
    """The job that carries the learner's source."""
    fake = room(problem, right)
    fake.programs[source] = right
    judge(problem, Submission(Framework.NUMPY, source), fake, **options)
    return next(job for job in fake.jobs if job.source == source)


def test_the_learner_runs_under_the_problems_limits_and_rules(problem: Problem) -> None:
    job = asked(problem)
    assert (job.limits, job.rules, job.kind, job.entries) == (
        problem.limits,
        problem.rules,
        problem.kind,
        problem.entries,
    )
    assert [case.name for case in job.cases] == ["sample", "hidden"]
    assert asked(problem, rules=False).rules is None


def test_the_same_source_has_the_same_luck_and_another_seed_another(problem: Problem) -> None:
    again = asked(problem).seed
    assert asked(problem).seed == again
    assert len({again, asked(problem, "others").seed, asked(problem, seed=1).seed}) == 3


def test_a_lone_surrogate_in_the_source_is_no_trouble(problem: Problem) -> None:
    assert asked(problem, "\ud800").source == "\ud800"


# ------------------------------------------------------------------------------------------------------------------
# whose fault it is


def test_a_framework_that_the_problem_does_not_have(problem: Problem) -> None:
    with pytest.raises(
        UsageError, match=r"^scores is not for torch; it is for numpy \(--framework\)$"
    ):
        judge(problem, Submission(Framework.TORCH, "theirs"), room(problem, right))


def test_a_reference_that_fails_is_the_instructors_fault(problem: Problem) -> None:
    fake = room(problem, right)
    fake.programs[problem.references[Framework.NUMPY]] = ends(Ended.RAISED, VALUE)
    text = (
        r"^reference/scores/numpy.py: case 'sample' in float64: it raised ValueError:"
        r" operands do not fit \(line 12\)$"
    )
    with pytest.raises(ProblemError, match=text):
        judge(problem, Submission(Framework.NUMPY, "theirs"), fake)


def test_a_room_lost_under_the_reference_is_ours(problem: Problem) -> None:
    fake = room(problem, right)
    fake.programs[problem.references[Framework.NUMPY]] = ends(Ended.LOST)
    with pytest.raises(
        JudgeError, match=r"the room was lost while running reference/scores/numpy.py"
    ):
        judge(problem, Submission(Framework.NUMPY, "theirs"), fake)


def test_a_sandbox_that_answers_too_little_is_no_verdict(problem: Problem) -> None:
    class Short(FakeRoom):
        def run(self, job: Any) -> Any:
            yield from list(super().run(job))[: 1 if job.source == "theirs" else None]

    fake = room(problem, right)
    short = Short(fake.cases, fake.programs)
    with pytest.raises(ValueError, match="shorter"):
        judge(problem, Submission(Framework.NUMPY, "theirs"), short)


def test_the_callback_sees_the_results_of_the_verdict(problem: Problem) -> None:
    seen: list[CaseResult] = []
    note: Callable[[CaseResult], None] = seen.append
    assert judged(problem, doubled, on_case=note).cases == tuple(seen)
