"""curve(problem, submission, sandbox) -> Curve: the time and the memory of a submission over the
length of its inputs, beside those of the reference.

A public case grows by doubling, in the room and within the problem's limits. Each size runs in a
fresh container, some times: the kernel tells the least CPU time of a call and the peak of the
memory in use. With logarithmic axes a power of the length is a straight line, and its exponent is
the slope of a least-squares fit to the last points (docs/design/curve.md).
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from grader.case import Case
from grader.explore.growth import Growth, growth
from grader.explore.public import public_cases
from grader.explore.simplify import cut
from grader.explore.sizes import letters
from grader.judge import random_seed
from grader.model import Ended, Framework, Run, Submission
from grader.problem import Problem
from grader.sandbox import Job, Sandbox

FIRST, LAST = 64, 262_144  # lengths
SECONDS = 6.0  # for all sizes of one program
LONGEST_MS = 400.0  # a call that takes longer is the last
CALL_S = 4.0
CALLS = 3  # of each size; the first one meets a cold container
FITTED = 4  # the last points, to which a line is fitted
LEAST_FITTED = 3
CLEAR = 4.0  # times the least: what grows by less is not told from what each call costs anyway
LEAST_MIB = 1.0


class State(StrEnum):
    """What a measurement comes to."""

    MEASURED = "measured"
    NO_LENGTH = "no_length"  # no public case has a sequence that could grow
    NOT_MEASURED = "not_measured"  # the program does not return at the first size


@dataclass(frozen=True, slots=True)
class Point:
    """What one call took."""

    size: int
    cpu_ms: float
    memory_mib: float


@dataclass(frozen=True, slots=True)
class Line:
    """A program's points. `stopped` is the limit that it reached, or "" at the last size."""

    name: str  # yours, reference or linear_attention
    points: tuple[Point, ...]
    stopped: str
    time_exponent: float | None
    memory_exponent: float | None


@dataclass(frozen=True, slots=True)
class Costs:
    """What the two products of attention take at the largest size, and the weights between them."""

    size: int
    multiplications: int
    weights_bytes: int
    linear_multiplications: int
    state_bytes: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Lines over the length of a case, whose other sizes stay as they are."""

    problem: str
    framework: Framework
    state: State
    case: str = ""
    grows: tuple[str, ...] = ()
    sizes: Mapping[str, int] | None = None
    lines: tuple[Line, ...] = ()
    costs: Costs | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the object documented in docs/design/curve.md, made of plain JSON types."""
        return {**asdict(self), "framework": str(self.framework), "state": str(self.state)}


def curve(
    problem: Problem, submission: Submission, sandbox: Sandbox, beside: Problem | None = None
) -> Curve:
    """Measures a submission and the reference, and the reference of linear attention (`beside`)
    where the problem is about attention.

    Raises what `judge` raises.
    """
    framework = problem.framework(submission.framework)
    grown = growth(problem, public_cases(problem, framework, sandbox))
    if grown is None:
        return Curve(problem.slug, framework, State.NO_LENGTH)
    programs = {"yours": submission.source, "reference": problem.references[framework]}
    lines = [
        _line(name, _job(problem, framework, text), grown, sandbox)
        for name, text in programs.items()
    ]
    linear = _linear(beside, framework, grown, sandbox)
    if linear is not None and beside is not None and beside.slug != problem.slug:
        job = _job(beside, framework, beside.references[framework])
        lines.append(_line("linear_attention", job, linear, sandbox))
    state = State.MEASURED if lines[0].points else State.NOT_MEASURED
    return Curve(
        problem.slug,
        framework,
        state,
        grown.case.name,
        (*grown.letters, *(name.partition(".")[2] for name in grown.lengths)),
        {k: n for k, n in letters(problem, grown.case).items() if k not in grown.letters},
        tuple(lines),
        _costs(grown, lines[0]) if linear is not None else None,
    )


def _job(problem: Problem, framework: Framework, source: str) -> Job:
    limits = replace(problem.limits, wall_s=CALL_S, total_s=2 * CALL_S)
    return Job(
        source=source,
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=(),
        limits=limits,
        rules=problem.rules if source not in problem.references.values() else None,
        seed=random_seed(Submission(framework, source), 0),
        driver=problem.driver,
    )


def _line(name: str, job: Job, grown: Growth, sandbox: Sandbox) -> Line:
    points, stopped = [], ""
    end = time.monotonic() + SECONDS
    for size in _sizes():
        run = _measured(job, grown, size, sandbox)
        stopped = _stopped(run)
        if stopped in ("", "time") and run is not None and run.ended is Ended.RETURNED:
            points.append(Point(size, round(run.cpu_ms, 4), round(run.resident_mib, 3)))
        if not stopped and time.monotonic() > end:
            stopped = "time"
        if stopped:
            break
    return Line(
        name,
        tuple(points),
        stopped,
        exponent([(p.size, p.cpu_ms) for p in points]),
        exponent([(p.size, p.memory_mib) for p in points if p.memory_mib >= LEAST_MIB]),
    )


def _sizes() -> Iterator[int]:
    size = FIRST
    while size <= LAST:
        yield size
        size *= 2


def _measured(job: Job, grown: Growth, size: int, sandbox: Sandbox) -> Run | None:
    """The quickest of some calls in a fresh container, with the peak of the first: later
    ones may also hold what the allocator kept.
    """
    try:
        case = grown.to(size)
    except IndexError:
        return None
    runs = list(
        sandbox.run(replace(job, cases=tuple(replace(case, name=str(i)) for i in range(CALLS))))
    )
    failed = next((run for run in runs if run.ended is not Ended.RETURNED), None)
    return failed or replace(runs[0], cpu_ms=min(run.cpu_ms for run in runs))


def _stopped(run: Run | None) -> str:
    """Why there is no larger size: time, memory, output or error; "" goes on."""
    if run is None:
        return "error"
    match run.ended:
        case Ended.RETURNED:
            return "time" if run.cpu_ms > LONGEST_MS else ""
        case Ended.WALL_TIME | Ended.CPU_TIME:
            return "time"
        case Ended.MEMORY:
            return "memory"
        case Ended.OUTPUT:
            return "output"
    return "error"


def exponent(points: Sequence[tuple[int, float]]) -> float | None:
    """The power of the size with which the last values grow; None where they grow too little."""
    last = [(math.log(size), math.log(value)) for size, value in points[-FITTED:] if value > 0]
    if len(last) < LEAST_FITTED or points[-1][1] < CLEAR * min(value for _, value in points):
        return None
    slope = np.polyfit([x for x, _ in last], [y for _, y in last], 1)[0]
    return round(float(slope), 2)


def _linear(
    beside: Problem | None, framework: Framework, grown: Growth, sandbox: Sandbox
) -> Growth | None:
    """Linear attention over as many sequences, of the same widths."""
    widths = attention_widths(grown.case)
    if beside is None or widths is None or framework not in beside.frameworks:
        return None
    counterpart = growth(beside, public_cases(beside, framework, sandbox))
    if counterpart is None:
        return None
    case = counterpart.case
    for letter, size in zip(("B", "D", "Dv"), widths, strict=True):
        old = letters(beside, case).get(letter)
        if old is not None:
            case = cut(case, counterpart.domain, letter, np.arange(size) % old)
    return replace(counterpart, case=case)


def attention_widths(case: Case) -> tuple[int, int, int] | None:
    """How many sequences a case of attention has, and how wide its keys and values are; None for
    any other case.
    """
    given = case.inputs
    if {"q", "k", "v"} <= set(given):
        q, v = given["q"], given["v"]
        return math.prod(q.shape[:-2]), q.shape[-1], v.shape[-1]
    if {"x", "w_q", "w_v"} <= set(given):
        x = given["x"]
        return math.prod(x.shape[:-2]), given["w_q"].shape[-1], given["w_v"].shape[-1]
    return None


def _costs(grown: Growth, line: Line) -> Costs | None:
    widths = attention_widths(grown.case)
    if widths is None or not line.points:
        return None
    many, d, dv = widths
    n = line.points[-1].size
    item = max(
        (a.dtype.itemsize for a in grown.case.inputs.values() if a.dtype.kind == "f"), default=4
    )
    return Costs(
        size=n,
        multiplications=many * n * n * (d + dv),
        weights_bytes=many * n * n * item,
        linear_multiplications=2 * many * n * d * dv,
        state_bytes=many * d * (dv + 1) * item,
    )
