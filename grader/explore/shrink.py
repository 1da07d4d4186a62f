"""shrink(problem, submission, sandbox) -> Shrunk: the smallest public input that shows a failure.

It begins with a failing sample or public twin, makes it smaller along the axes that belong
together, and its values rounder, as long as the same failure remains. What is expected of each
candidate comes from the reference, in a session of its own (docs/design/shrink.md).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from grader.answers import Answer
from grader.case import Case
from grader.explore.arrays import Output, arguments_json, as_python, numbers, outputs
from grader.explore.domain import domain
from grader.explore.public import public_case, public_cases, takes_inputs
from grader.explore.reference import reference
from grader.explore.search import Ask, Failure, Search, judged, simplest
from grader.findings.catalogue import N_
from grader.findings.finding import Finding
from grader.findings.sentences import findings_json
from grader.judge import random_seed
from grader.model import Ended, Framework, Limits, Outcome, Run, Submission
from grader.problem import Problem
from grader.sandbox import Job, Sandbox

CALLS = 400  # simpler cases that are tried
SECONDS = 5.0  # for all of them
CALL_S = 5.0  # for one
CHECKS = 4  # of the result, each in a fresh container
COSTS = (Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT)
LOADING = (Ended.NOT_LOADED, Ended.FORBIDDEN)


class State(StrEnum):
    """What a search for a smaller input comes to."""

    SHRUNK = "shrunk"
    NOTHING_FAILS = "nothing_fails"  # no public case fails, or not the one that was named
    FIXED = "fixed"  # the problem is always asked with the same inputs
    NOT_LOADED = "not_loaded"  # the file does not load, whatever the input
    # the case is shown as it is
    COST = "cost"  # it is over a limit
    DRAWS = "draws"  # it judges statistics of many random draws
    EARLIER_CALLS = "earlier_calls"  # it fails only after other calls


# what is said above the input
SENTENCES = {
    State.SHRUNK: N_("The smallest input found that fails like '%(case)s':"),
    State.NOTHING_FAILS: N_(
        "No public case fails, apart from those about time and memory, which are not tried here."
    ),
    State.FIXED: N_(
        "This problem is always asked with the same inputs, so none of them can be made smaller."
    ),
    State.NOT_LOADED: N_("The file does not load, whatever the input:"),
    State.COST: N_("'%(case)s' is over a limit; no smaller input shows that. Its input:"),
    State.DRAWS: N_("'%(case)s' judges many random draws and is shown as it is:"),
    State.EARLIER_CALLS: N_("'%(case)s' fails only after other calls and is shown as it is:"),
}


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest input found, and what happens with it.

    `numbers` are those of the input, now and in the case with which the search began.
    """

    problem: str
    framework: Framework
    state: State
    case: Case | None = None
    verdict: Outcome | None = None
    findings: tuple[Finding, ...] = ()
    outputs: tuple[Output, ...] = ()
    printed: str = ""
    numbers: int = 0
    numbers_before: int = 0
    calls: int = 0

    def to_json(self) -> dict[str, Any]:
        """Returns the object documented in docs/design/shrink.md, made of plain JSON types."""
        case = self.case
        return {
            "problem": self.problem,
            "framework": str(self.framework),
            "state": str(self.state),
            "case": None if case is None else case.name,
            "sample": case is not None and case.sample,
            "rule": "" if case is None else case.rule,
            "note": "" if case is None else case.note,
            "raises": "" if case is None else case.raises,
            "arguments": None if case is None else arguments_json(case),
            "python": None if case is None else as_python(case),
            "verdict": None if self.verdict is None else str(self.verdict),
            "findings": findings_json(self.findings),
            "outputs": [output.to_json() for output in self.outputs],
            "printed": self.printed,
            "numbers": self.numbers,
            "numbers_before": self.numbers_before,
            "calls": self.calls,
        }


def shrink(
    problem: Problem,
    submission: Submission,
    sandbox: Sandbox,
    case_name: str | None = None,
    *,
    rules: bool = True,
) -> Shrunk:
    """Returns the smallest public input found on which the submission fails.

    It begins with the case of that name, else with the smallest one that fails. Raises `InputError`
    for a case that is not public, and what `judge` raises.
    """
    framework = problem.framework(submission.framework)
    public = public_cases(problem, framework, sandbox)
    if not takes_inputs(problem, public):
        return Shrunk(problem.slug, framework, State.FIXED)
    job = Job(
        source=submission.source,
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=(),
        limits=_quick(problem.limits),
        rules=problem.rules if rules else None,
        seed=random_seed(submission, 0),
        driver=problem.driver,
    )
    chosen = (
        _in_order(public)
        if case_name is None
        else [public_case(problem, framework, sandbox, case_name)]
    )
    return _Shrinking(problem, job, sandbox, public).run(chosen)


def _in_order(public: Sequence[Answer]) -> Sequence[Answer]:
    """The cases to look at: small ones first, random ones last."""
    cheap = [a for a in public if a.case.memory_mib is None and a.case.cpu_factor is None]
    return sorted(cheap, key=lambda a: (bool(a.case.draws), numbers(a.case)))


def _quick(limits: Limits) -> Limits:
    return replace(limits, wall_s=min(CALL_S, limits.wall_s), total_s=min(15.0, limits.total_s))


class _Shrinking:
    """One submission and the cases that may be told of it."""

    def __init__(
        self, problem: Problem, job: Job, sandbox: Sandbox, public: Sequence[Answer]
    ) -> None:
        self._problem, self._job, self._sandbox, self._public = problem, job, sandbox, public

    def run(self, chosen: Sequence[Answer]) -> Shrunk:
        """Looks for a failure among the chosen cases, and for the simplest like it."""
        with self._sandbox.session(self._job) as session:
            start = self._first_failure(chosen, session.ask)
            if start is None:
                return self._told(State.NOTHING_FAILS, None, None)
            state = _state(start)
            if state is not None:
                return self._told(state, start, start)
            search = self._searched(start, self._once if start.case.before else session.ask)
        confirmed = self._confirmed(search)
        if confirmed is None:  # it fails only after other calls
            earlier = self._after_another_call(start)
            if earlier is None:
                return self._told(State.EARLIER_CALLS, start, start)
            search = self._searched(earlier, self._once)
            confirmed = self._confirmed(search) or earlier
        return self._told(State.SHRUNK, start, confirmed, CALLS - search.left)

    def _first_failure(self, chosen: Sequence[Answer], ask: Ask) -> Failure | None:
        for answer in chosen:
            failure = self._judged(answer, ask(answer.case))
            if failure is not None:
                return failure
        return None

    def _judged(self, answer: Answer, run: Run) -> Failure | None:
        return judged(self._problem, self._job.framework, answer, run)

    def _searched(self, start: Failure, ask: Ask) -> Search:
        """The finished search for the simplest failure like this one."""
        problem, framework = self._problem, self._job.framework
        allowed = domain(problem, [answer.case for answer in self._public])
        deadline = time.monotonic() + SECONDS
        with reference(problem, framework, self._sandbox, self._job.limits) as session:
            search = Search(problem, framework, allowed, start, ask, session, CALLS, deadline)
            simplest(search)
        return search

    def _once(self, case: Case) -> Run:
        """The run of one case in a fresh container, which has seen no other."""
        return next(iter(self._sandbox.run(replace(self._job, cases=(case,)))))

    def _again(self, failure: Failure) -> Failure | None:
        """The same failure in a fresh container, None where there it is another one or none."""
        again = self._judged(failure.answer, self._once(failure.case))
        return again if again is not None and again.kind == failure.kind else None

    def _confirmed(self, search: Search) -> Failure | None:
        """The simplest failure that a fresh container shows too: a submission may remember what it
        was asked before.
        """
        last = len(search.taken) - 1
        places = dict.fromkeys([*(last - last * i // CHECKS for i in range(CHECKS)), 0])
        tried = (self._again(search.taken[place]) for place in places)
        return next((failure for failure in tried if failure is not None), None)

    def _after_another_call(self, failure: Failure) -> Failure | None:
        """The failure as a case with an earlier call, whose inputs are those of another case."""
        case = failure.case
        for other in self._public:
            if other.case.call == case.call and _alike(other.case, case):
                twice = replace(case, before=other.case.inputs)
                again = self._again(replace(failure, answer=replace(failure.answer, case=twice)))
                if again is not None:
                    return again
        return None

    def _told(
        self, state: State, start: Failure | None, failure: Failure | None, calls: int = 0
    ) -> Shrunk:
        result = Shrunk(self._problem.slug, self._job.framework, state)
        if start is None or failure is None:
            return result
        full = self._judged(failure.answer, failure.run) or failure
        return replace(
            result,
            case=failure.case if state is not State.NOT_LOADED else None,
            verdict=full.judgement.verdict,
            findings=full.judgement.findings,
            outputs=outputs(failure.answer, failure.run),
            printed=failure.run.printed[:2000],
            numbers=numbers(failure.case),
            numbers_before=numbers(start.case),
            calls=calls,
        )


def _state(failure: Failure) -> State | None:
    """Why a failure is shown as it is; None where a simpler one can be looked for."""
    if failure.run.ended in LOADING:
        return State.NOT_LOADED
    if failure.judgement.verdict in COSTS:
        return State.COST
    return State.DRAWS if failure.case.draws else None


def _alike(other: Case, case: Case) -> bool:
    """Has another case the same shapes, and the same module?"""
    shapes = {name: array.shape for name, array in other.inputs.items()}
    same = shapes == {name: array.shape for name, array in case.inputs.items()}
    return same and other.name != case.name and other.init == case.init
