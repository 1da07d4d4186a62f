"""Which known mistake gives exactly these tensors? The learner is told that mistake's hint.

Only what is public is looked at: samples, public twins, and the verdicts of the cases. So a hint
tells nothing of hidden inputs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from grader import cache, storage
from grader.answers import Answer, Answers
from grader.cache import Cache
from grader.compare import Expected
from grader.model import Diagnosis, Ended, Failure, Outcome, Run
from grader.outcome import judge_case
from grader.problem import Mistake, Problem
from grader.sandbox import Job, Sandbox

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
    bounds: Mapping[str, tuple[float, float]]  # by tensor: see `_bounds`


def diagnose(
    problem: Problem, answers: Answers, evidence: Sequence[Evidence], sandbox: Sandbox
) -> Diagnosis | None:
    """The known mistake that explains most of the failed cases and contradicts the fewest others.

    None when nothing failed, or when none explains more than twice as many cases as it contradicts:
    a wrong hint is worse than none. Crashes of one type are no evidence by themselves, since many
    mistakes crash alike; crashes with the same words are.
    """
    if all(each.verdict is Outcome.ACCEPTED for each in evidence):
        return None
    public = {a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases}
    failed = sum(each.verdict is not Outcome.ACCEPTED for each in evidence)
    # what can contradict most comes first
    evidence = sorted(evidence, key=lambda each: each.verdict is Outcome.ACCEPTED)
    order = {answer.case.name: i for i, answer in enumerate(answers.cases)}
    best: tuple[tuple[int, int], Diagnosis] | None = None
    known = mistake_runs(problem, answers, sandbox)
    projected = {each.case: _projections(each.run) for each in evidence if each.run is not None}
    for mistake in problem.mistakes:
        if answers.framework not in mistake.sources:
            continue
        theirs = known.get(mistake.name, {})
        explained, against, certain = [], 0, False
        for each in evidence:
            answer, their = public[each.case], theirs.get(each.case)
            same = _same(mistake, answer, each, their, projected.get(each.case, {}))
            if same is None:
                continue
            if same and each.verdict is not Outcome.ACCEPTED:
                explained.append(each.case)
                certain = certain or _certain(answer, each.run, their.run if their else None)
            elif not same:
                against += 1
                if 2 * against >= failed:  # it can no longer explain more than twice as many
                    break
        rank = (len(explained) - against, len(explained))
        if certain and len(explained) > 2 * against and (best is None or rank > best[0]):
            best = (
                rank,
                Diagnosis(
                    mistake.name, mistake.hint, tuple(sorted(explained, key=order.__getitem__))
                ),
            )
    return best[1] if best else None


def costly(answer: Answer) -> bool:
    """Is this a case about cost? Mistakes are not run on those to diagnose: some take seconds."""
    return answer.case.memory_mib is not None or answer.case.cpu_factor is not None


def _same(
    mistake: Mistake,
    answer: Answer,
    ours: Evidence,
    theirs: Known | None,
    projected: Mapping[str, float],
) -> bool | None:
    """Does the learner's run of a case equal the mistake's? None where nothing can be said."""
    if costly(answer):
        if ours.verdict in COSTS and mistake.verdict in COSTS:
            return ours.verdict is mistake.verdict
        return None
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
    if mistake.random:
        return True
    if any(
        abs(projected[name] - value) > room
        for name, (value, room) in theirs.bounds.items()
        if name in projected
    ):
        return False
    return same_tensors(run, known, answer)


def _error(run: Run) -> str:
    return run.error.type if run.error else ""


def _certain(answer: Answer, run: Run | None, theirs: Run | None) -> bool:
    """Is it more than a crash of the same type?

    Where an exception is due, its type is what was asked.
    """
    if costly(answer):
        return True
    if run is None:
        return False
    if theirs is None or Ended.RAISED not in (run.ended, theirs.ended) or answer.case.raises:
        return True
    return (
        run.error is not None and theirs.error is not None and run.error.text == theirs.error.text
    )


def _projections(run: Run) -> dict[str, float]:
    """Each float tensor as one number, its product with a fixed random vector: two tensors whose
    numbers are far apart need no closer look. NaN is far from nothing.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return {
            name: float(_direction(tensor.size) @ tensor.ravel())
            for name, tensor in run.tensors.items()
            if tensor.dtype.kind == "f"
        }


@lru_cache(maxsize=256)
def _direction(size: int) -> np.ndarray:
    return np.random.default_rng(size).standard_normal(size)


def _bounds(run: Run, answer: Answer) -> dict[str, tuple[float, float]]:
    """The projections, and how far apart those of tensors can be that `same_tensors` finds equal."""
    if answer.case.draws:
        return {}
    return {
        name: (value, _room(run.tensors[name], answer.expected[name].tolerance))
        for name, value in _projections(run).items()
        if name in answer.expected
    }


def _room(tensor: np.ndarray, tolerance: float) -> float:
    largest = float(np.abs(tensor).max(initial=0.0))
    most = 2 * max(4 * tolerance, 64 * float(np.finfo(tensor.dtype).eps) * largest)
    return most * float(np.abs(_direction(tensor.size)).sum())


def same_tensors(a: Run, b: Run, answer: Answer) -> bool:
    """Do two runs bring back equal tensors, to within a few times the tolerance?

    NaN equals NaN here.
    """
    if set(a.tensors) != set(b.tensors) or any(
        _kind(a, n, e) != _kind(b, n, e) for n, e in answer.expected.items()
    ):
        return False
    wider = _wider(b, answer)
    return all(
        _close(
            a.tensors[name],
            b.tensors[name],
            (wider if answer.case.draws else 4) * answer.expected[name].tolerance,
        )
        for name in a.tensors
        if name in answer.expected
    )


def _kind(run: Run, name: str, expected: Expected) -> str:
    """A dtype as far as it tells mistakes apart: any integer is an integer, and where booleans are
    due, 0.0 and 1.0 are integers too.
    """
    dtype = run.dtypes.get(name, "")
    number = dtype.startswith(("int", "uint")) or (
        expected.dtype == "bool" and dtype.startswith("float")
    )
    return "integer" if number else dtype


def _wider(run: Run, answer: Answer) -> float:
    """How much wider a mistake's random results are spread than the answer's: so much less exact
    are its means and deviations.
    """
    spreads = [
        float(np.abs(run.tensors[name]).max(initial=0.0))
        / max(float(np.abs(expected.values).max(initial=0.0)), 1e-12)
        for name, expected in answer.expected.items()
        if name.startswith("spread.") and name in run.tensors
    ]
    return max([1.0, *(spread for spread in spreads if np.isfinite(spread))])


def _close(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    # the common case, quickly: NaN fails every comparison, so it is never equal here
    if a.dtype.kind == b.dtype.kind == "f":
        with np.errstate(invalid="ignore", over="ignore"):
            largest = float(np.abs(a - b).max(initial=0.0))
        if largest <= tolerance:
            return True
        if np.isfinite(largest) and largest > tolerance + 64 * float(np.finfo(a.dtype).eps) * float(
            np.abs(b).max(initial=0.0)
        ):
            return False
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(y)
    if not ((np.isnan(x) == np.isnan(y)).all() and (np.isfinite(x) == finite).all()):
        return False
    scale = float(np.abs(y[finite]).max(initial=0.0)) * 64 * float(np.finfo(a.dtype).eps)
    return float(np.abs(x[finite] - y[finite]).max(initial=0.0)) <= max(tolerance, scale)


Runs = Mapping[str, Mapping[str, Known]]  # by mistake, by case
_runs: Cache[tuple[str, str], Runs] = Cache()


def mistake_runs(problem: Problem, answers: Answers, sandbox: Sandbox) -> Runs:
    """What each mistake does in each public case that is not about cost: by mistake, by case.
    Cached in memory and on disk.

    A case in which nothing is drawn is as it is; of such a case, only the verdict is ever used.
    """
    name = f"{problem.slug}-{answers.framework}-{problem.digest[:12]}-{cache.engine()}.safetensors"
    path = storage.cache_folder() / "mistakes" / name

    def compute() -> tuple[Runs, bool]:
        runs, whole = _load(cache.read(path)), True
        if runs is None:
            runs, whole = _compute(problem, answers, sandbox)
            if whole:
                _store(path, runs)
        return _judged(problem, answers, runs), whole

    return _runs.get((problem.digest, str(answers.framework)), compute)


def _judged(problem: Problem, answers: Answers, runs: Mapping[str, Mapping[str, Run]]) -> Runs:
    public = {a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases}

    def known(case: str, run: Run) -> Known:
        verdict = judge_case(problem, answers.framework, public[case], run, brief=True).verdict
        return Known(run, verdict, _bounds(run, public[case]))

    return {
        mistake: {case: known(case, run) for case, run in theirs.items()}
        for mistake, theirs in runs.items()
    }


def _compute(
    problem: Problem, answers: Answers, sandbox: Sandbox
) -> tuple[dict[str, dict[str, Run]], bool]:
    """The runs, and whether they are all there: what a lost room or a busy machine left out must
    not be kept.
    """
    cheap = [answers.twins.get(a.case.name, a) for a in answers.cases if not costly(a)]
    by_mistake, whole = {}, True
    for mistake in problem.mistakes:
        source = mistake.sources.get(answers.framework)
        if source is None:
            continue
        job = Job(
            source,
            answers.framework,
            problem.kind,
            problem.entries,
            tuple(a.case for a in cheap),
            problem.limits,
            None,
        )
        runs = list(sandbox.run(job))
        accidents = (
            {Ended.LOST} if mistake.verdict is Outcome.TIME_LIMIT else {Ended.LOST, Ended.WALL_TIME}
        )
        by_mistake[mistake.name] = {run.case: run for run in runs if run.ended not in accidents}
        whole = whole and len(by_mistake[mistake.name]) == len(runs)
    return by_mistake, whole


def _store(path: Path, by_mistake: Mapping[str, Mapping[str, Run]]) -> None:
    meta: list[list[object]] = []
    tensors: dict[str, np.ndarray] = {}
    for mistake, runs in by_mistake.items():
        for case, run in runs.items():
            tensors |= {f"{len(meta)}/{name}": t for name, t in run.tensors.items()}
            error = (
                None
                if run.error is None
                else [run.error.type, list(run.error.bases), run.error.text]
            )
            meta.append([mistake, case, str(run.ended), dict(run.dtypes), error])
    cache.write(path, {"runs": json.dumps(meta)}, tensors)


def _load(
    stored: tuple[dict[str, str], dict[str, np.ndarray]] | None,
) -> dict[str, dict[str, Run]] | None:
    if stored is None:
        return None
    head, tensors = stored
    try:
        runs: dict[str, dict[str, Run]] = {}
        parts: dict[str, dict[str, np.ndarray]] = {}
        for key, tensor in tensors.items():
            number, _, name = key.partition("/")
            parts.setdefault(number, {})[name] = tensor
        for i, (mistake, case, ended, dtypes, error) in enumerate(json.loads(head["runs"])):
            failure = None if error is None else Failure(error[0], error[2], bases=tuple(error[1]))
            runs.setdefault(mistake, {})[case] = Run(
                case, Ended(ended), parts.get(str(i), {}), dtypes, failure
            )
        return runs
    except (KeyError, ValueError, TypeError, IndexError):
        return None


__all__ = ["COSTS", "Evidence", "costly", "diagnose", "mistake_runs", "same_tensors"]
