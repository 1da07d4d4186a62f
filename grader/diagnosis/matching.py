"""Does what a submission did in a public case equal what a known mistake does there?

Only what is public is looked at: samples, public twins, and the verdicts of the cases.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.diagnosis.equality import overflows_later, same_tensors
from grader.model import Ended, Outcome, Run

COSTS = (Outcome.MEMORY_LIMIT, Outcome.TIME_LIMIT)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is public of one judged case: its verdict; the run of the sample or public twin, and the
    verdict of that, where there is one.
    """

    case: str
    verdict: Outcome
    run: Run | None = None
    public: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a known mistake does in one public case, the verdict of that, and its projections."""

    run: Run
    verdict: Outcome
    bounds: Mapping[str, tuple[float, float]]  # by tensor: see `bounds`
    manner: str = ""  # see `manner`


class Runs(dict[str, Mapping[str, Known]]):
    """What known programs do: by name, by case."""

    @cached_property
    def _tables(self) -> Mapping[str, "_Table"]:
        cases = dict.fromkeys(case for known in self.values() for case in known)
        return {case: _table({n: known.get(case) for n, known in self.items()}) for case in cases}

    def far(self, case: str, projected: Mapping[str, float]) -> Collection[str]:
        """The programs whose tensors in a case are surely others than those of these
        projections.
        """
        table = self._tables.get(case)
        if table is None:
            return ()
        ours = np.array([projected.get(name, np.nan) for name in table.tensors])
        with np.errstate(invalid="ignore"):
            far = (np.abs(table.values - ours) > table.rooms).any(axis=1)
        return set(compress(table.programs, far.tolist()))


@dataclass(frozen=True, slots=True)
class _Table:
    """The projections of all programs in one case; NaN where there is none, which is far from
    nothing.
    """

    programs: Sequence[str]
    tensors: Sequence[str]
    values: np.ndarray  # (programs, tensors)
    rooms: np.ndarray


def _table(known: Mapping[str, Known | None]) -> _Table:
    bounds = {name: each.bounds for name, each in known.items() if each is not None}
    tensors = tuple(dict.fromkeys(tensor for each in bounds.values() for tensor in each))
    missing = (np.nan, np.nan)
    both = np.array(
        [[each.get(tensor, missing) for tensor in tensors] for each in bounds.values()], np.float64
    ).reshape(len(bounds), len(tensors), 2)
    return _Table(tuple(bounds), tensors, both[..., 0], both[..., 1])


def costly(answer: Answer) -> bool:
    """Does this case cost much? Mistakes are not run on those to diagnose: some take seconds."""
    return about_cost(answer.case)


def about_cost(case: Case) -> bool:
    """Does the case limit what a program may use, or take long?"""
    return case.memory_mib is not None or case.cpu_factor is not None or case.slow


def same(
    answer: Answer,
    ours: Evidence,
    theirs: Known | None,
    far: bool = False,
    random: bool = False,
) -> bool | None:
    """Does the learner's run of a case equal the mistake's? None where nothing can be said.

    `far`: its tensors are surely others. Those of a `random` mistake are not compared.
    """
    if theirs is None:
        return None
    if ours.verdict is Outcome.ACCEPTED:
        return theirs.verdict is Outcome.ACCEPTED
    run, known = ours.run, theirs.run
    if run is None:  # only the verdict is public
        return (
            True
            if theirs.verdict is ours.verdict
            else False
            if theirs.verdict is Outcome.ACCEPTED
            else None
        )
    if ours.public is not theirs.verdict:
        return False
    if ours.public is Outcome.ACCEPTED:
        return None  # the twin passes for both: nothing is known of the hidden inputs that failed
    if run.ended is not Ended.RETURNED or known.ended is not Ended.RETURNED:
        return _error(run) == _error(known) and run.ended is known.ended
    return random or (not far and same_tensors(run, known, answer))


def _error(run: Run) -> str:
    """The type of an exception; of a module with other parameters than asked for, which ones."""
    if run.error is None:
        return ""
    if run.ended is Ended.BAD_STATE:
        return f"{run.error.type} {sorted(run.error.details.items())}"
    return run.error.type


def certain(answer: Answer, run: Run | None, theirs: Run | None, two: bool = False) -> bool:
    """Is it more than a crash of the same type? Of `two` mistakes at once, is it no crash?

    Where an exception is due, its type is what was asked.
    """
    if run is None or (two and run.ended is Ended.RAISED):
        return False
    if theirs is None or Ended.RAISED not in (run.ended, theirs.ended) or answer.case.raises:
        return True
    return (
        run.error is not None and theirs.error is not None and run.error.text == theirs.error.text
    )


def manner(run: Run, answer: Answer) -> str:
    """In what way a run is wrong, without numbers: what it raises, what is missing, another shape,
    results that are not finite (or nothing but zeros), or other values.
    """
    if run.ended is not Ended.RETURNED:
        return f"{run.ended} {_error(run)}"
    for name, expected in answer.expected.items():
        tensor = run.tensors.get(name)
        if tensor is None:
            return f"no {name}"
        if tensor.shape != expected.values.shape:
            return f"shape of {name}"
        if tensor.dtype.kind == "f" and expected.values.dtype.kind == "f":
            finite = np.isfinite(expected.values)
            if not np.isfinite(tensor[finite]).all():
                return "not finite"
    return "not finite" if blank(run, answer) else "values"  # 0 / 0, with a guard or without


def blank(run: Run, answer: Answer) -> bool:
    """Is all that is wrong NaN, infinite or zero? Many mistakes end in that.

    A mask of zeros and ones, or a right result of another dtype, says more.
    """
    if run.ended is not Ended.RETURNED:
        return False
    some = False
    for name, expected in answer.expected.items():
        tensor = run.tensors.get(name)
        if tensor is None or tensor.shape != expected.values.shape or tensor.dtype.kind != "f":
            return False
        if expected.values.dtype.kind != "f":
            return False
        with np.errstate(invalid="ignore", over="ignore"):
            right = np.abs(tensor - expected.values) <= expected.tolerance
        wrong = tensor[~right]
        if (np.isfinite(wrong) & (wrong != 0)).any():
            return False
        some = some or wrong.size > 0
    return some


def in_part(run: Run | None, theirs: Run) -> bool:
    """Are some of the numbers not compared, since they overflow in a narrower float only?"""
    return run is not None and any(
        overflows_later(tensor, theirs.tensors[name])
        for name, tensor in run.tensors.items()
        if name in theirs.tensors
    )
