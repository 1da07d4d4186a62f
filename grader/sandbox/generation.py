"""What a fresh container makes instead of running a submission: the cases of a `cases.py`, the
inputs that a learner wrote down, and the values of a lesson.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.case import Case, CaseError, Scalar
from grader.findings.text import T_
from grader.inside.expressions import Fault
from grader.inside.frames import FrameLimits, encode
from grader.model import Ended, Failure, Limits
from grader.sandbox.container import Container
from grader.sandbox.intake import decode
from grader.sandbox.job import MIB

MAX_CASES = 500
# for a cases.py; its memory is the child's
CASES = Limits(wall_s=60, cpu_s=60, output_mib=1024, total_s=240)
CASE_FRAME = FrameLimits(CASES.output_mib * MIB, meta_bytes=1 << 18, tensors=1000, name_chars=200)
INPUTS = Limits(wall_s=2, cpu_s=2, output_mib=1, total_s=2)
INPUTS_FRAME = FrameLimits(INPUTS.output_mib * MIB, tensors=64, name_chars=80)
LESSON = Limits(wall_s=20, cpu_s=20, output_mib=1, total_s=20)
LESSON_FRAME = FrameLimits(0, meta_bytes=2 * MIB, tensors=0)
MOST = 1 << 63  # an integer that an array can hold is smaller


@dataclass(frozen=True, slots=True)
class Written:
    """The inputs that a learner wrote down: arrays and plain values by name, or what is wrong.

    `literals` are the arrays that were written as lists, so that no dtype was chosen.
    """

    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    scalars: Mapping[str, Scalar] = field(default_factory=dict)
    literals: frozenset[str] = frozenset()
    fault: Fault | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a lesson, the references that it may import from `bank`, and the names and
    expressions whose values are wanted.
    """

    source: str
    bank: tuple[Mapping[str, Any], ...]  # each with slug, entries and source
    names: tuple[str, ...]
    expressions: tuple[Mapping[str, Any], ...] = ()  # each with key, text and given


@dataclass(frozen=True, slots=True)
class Computed:
    """The values of a lesson by name, as JSON has them; why others are none that a page can show;
    or how its program failed.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    failure: Failure | None = None


def cases(child: Container, source: str, seed: int) -> list[Case]:
    """Runs a cases.py. Raises `CaseError` with its own error when it fails."""
    held_bytes, yielded = 0, list[Case]()
    for meta, tensors in _frames(child, source, seed):
        if len(yielded) == MAX_CASES:
            raise CaseError(T_("it yields more than %(most)d cases", most=MAX_CASES))
        held_bytes += sum(tensor.nbytes for tensor in tensors.values())
        if held_bytes > CASES.output_mib * MIB:
            words = T_("its cases hold more than %(most)d MiB together", most=CASES.output_mib)
            raise CaseError(words)
        try:
            yielded.append(Case.from_meta(meta["case"], tensors))
        except (TypeError, KeyError, AttributeError) as error:
            number = len(yielded) + 1
            words = T_("case %(number)d is malformed: %(error)s", number=number, error=str(error))
            raise CaseError(words) from None
    return yielded


def _frames(
    child: Container, source: str, seed: int
) -> Iterator[tuple[dict[str, Any], dict[str, np.ndarray]]]:
    """The frames of a cases.py until it is done, each with one case."""
    run, frame = child.start({"mode": "cases", "source": source, "seed": seed}, CASE_FRAME, CASES)
    while True:
        if run is not None or frame is None:
            error = run.error if run and run.error else Failure("")
            words = error.type if run and run.ended is Ended.DIED else error.text or error.type
            ended = f"{run.ended if run else 'nothing'} {words}".strip()
            raise CaseError(T_("ended with %(ended)s", ended=ended))
        meta, tensors = frame
        if meta.get("frame") == "done":
            return
        if meta.get("frame") != "case":
            error = decode.failure(meta.get("error"))
            said = f"{error.type}: {error.text}"
            if error.lineno:
                raise CaseError(T_("%(error)s (line %(line)d)", error=said, line=error.lineno))
            raise CaseError(said)
        yield meta, tensors
        run, frame = child.exchange(encode({"frame": "next"}, {}), CASE_FRAME, CASES)


def inputs(child: Container, source: str) -> Written:
    """Evaluates inputs that a learner wrote. Whatever is wrong with them is in what is returned."""
    run, frame = child.start({"mode": "inputs", "source": source}, INPUTS_FRAME, INPUTS)
    if run is not None or frame is None:
        return _unfinished(run.ended if run is not None else Ended.DIED)
    meta, tensors = frame
    if meta.get("frame") == "inputs":
        return _written(meta, tensors)
    error = decode.failure(meta.get("error"))
    known = {str(fault): fault for fault in Fault}
    details = {name: str(value) for name, value in error.details.items()}
    if error.lineno is not None:
        details["line"] = str(error.lineno)
    if error.text:
        details["text"] = error.text
    return Written(fault=known.get(error.type, Fault.UNREADABLE), details=details)


def lesson(child: Container, program: Program) -> Computed:
    """Runs the program of a lesson. Whatever is wrong with it is in what is returned."""
    setup = {
        "mode": "lesson",
        "source": program.source,
        "seed": 0,
        "bank": [dict(each) for each in program.bank],
        "names": list(program.names),
        "expressions": [dict(each) for each in program.expressions],
    }
    run, frame = child.start(setup, LESSON_FRAME, LESSON)
    if run is not None or frame is None:
        ended = run.ended if run is not None else Ended.DIED
        return Computed(failure=Failure(str(ended), _limits_of(ended)))
    meta, _ = frame
    values, unfit = meta.get("values"), meta.get("unfit")
    if meta.get("frame") != "values" or type(values) is not dict or type(unfit) is not dict:
        return Computed(failure=decode.failure(meta.get("error")))
    return Computed(
        {decode.clean(name): decode.plain(value) for name, value in values.items()},
        {decode.clean(name): decode.clean(str(why)[:200]) for name, why in unfit.items()},
    )


def _limits_of(ended: Ended) -> str:
    """What a lesson that came to no end of its own ran into."""
    match ended:
        case Ended.WALL_TIME | Ended.CPU_TIME:
            return f"it took longer than {LESSON.wall_s:g} s"
        case Ended.MEMORY:
            return "it needs too much memory"
        case Ended.OUTPUT:
            return "its values are too large"
        case _:
            return "it ended without a result"


def _unfinished(ended: Ended) -> Written:
    """What is said of an evaluation that came to no end of its own."""
    match ended:
        case Ended.WALL_TIME | Ended.CPU_TIME:
            return Written(fault=Fault.TOO_LONG, details={"seconds": f"{INPUTS.wall_s:g}"})
        case Ended.MEMORY | Ended.OUTPUT:
            return Written(fault=Fault.TOO_MUCH_MEMORY)
        case _:
            return Written(fault=Fault.UNREADABLE)


def _written(meta: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> Written:
    """The values of a reply that claims to have them; what is no plain value is left out."""
    scalars, literals = meta.get("scalars"), meta.get("literals")
    return Written(
        arrays=dict(tensors),
        scalars={
            decode.clean(name): decode.clean(value) if type(value) is str else value
            for name, value in (scalars if type(scalars) is dict else {}).items()
            if type(value) in (bool, float, str, type(None))
            or (type(value) is int and abs(value) < MOST)
        },
        literals=frozenset(tensors) & {n for n in literals or () if type(n) is str}
        if type(literals) is list
        else frozenset(),
    )
