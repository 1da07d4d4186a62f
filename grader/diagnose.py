"""Which known mistake gives exactly these tensors? The learner is told that mistake's hint."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader import secret
from grader.answers import Answer, Answers, engine, read_cached, write_cached
from grader.compare import Expected
from grader.model import CaseResult, Diagnosis, Ended, Failure, Outcome, Run
from grader.problem import Mistake, Problem
from grader.sandbox import Job, Sandbox
from grader.settle import outcome

COSTS = (Outcome.MEMORY_LIMIT, Outcome.TIME_LIMIT)


@dataclass(frozen=True, slots=True)
class Sign:
    """What a program does in one case: how it is judged, how it failed, what it returned."""

    verdict: Outcome
    error: str
    run: Run


def sign(problem: Problem, answers: Answers, answer: Answer, run: Run) -> Sign:
    """The sign of one run."""
    verdict, _ = outcome(problem, answers.framework, answer, run)
    return Sign(verdict, run.error.type if run.error else "", run)


def diagnose(problem: Problem, answers: Answers, runs: Sequence[Run], results: Sequence[CaseResult], sandbox: Sandbox) -> Diagnosis | None:
    """The known mistake that explains most of the failed cases and contradicts the fewest others.

    None when nothing failed, or when none explains more than twice as many cases as it contradicts: a wrong hint is worse than none.
    Crashes of one type are no evidence by themselves, since many mistakes crash alike; crashes with the same words are.
    """
    chosen = [a for a in answers.cases if a.case.name in {r.name for r in results}]
    failed = [r.name for r in results if r.verdict is not Outcome.ACCEPTED]
    if not failed:
        return None
    best: tuple[tuple[int, int], Diagnosis] | None = None
    known = mistake_runs(problem, answers, sandbox)
    for mistake in problem.mistakes:
        if answers.framework not in mistake.sources:
            continue
        theirs = known.get(mistake.name, {})
        explained, against, certain = [], 0, False
        for answer, run, result in zip(chosen, runs, results, strict=True):
            their = theirs.get(answer.case.name)
            same = _same(problem, answers, mistake, answer, run, result, their)
            if same is None:
                continue
            if same and result.verdict is not Outcome.ACCEPTED:
                explained.append(answer.case.name)
                certain = certain or _certain(answer, run, their)
            elif not same:
                against += 1
        rank = (len(explained) - against, len(explained))
        if certain and len(explained) > 2 * against and (best is None or rank > best[0]):
            best = rank, Diagnosis(mistake.name, mistake.hint, tuple(explained))
    return best[1] if best else None


def costly(answer: Answer) -> bool:
    """Is this a case about cost? Mistakes are not run on those to diagnose: some take seconds."""
    return answer.case.memory_mib is not None or answer.case.cpu_factor is not None


def _same(
    problem: Problem, answers: Answers, mistake: Mistake, answer: Answer, run: Run, result: CaseResult, theirs: Run | None
) -> bool | None:
    """Does the learner's run of a case equal the mistake's? None where nothing can be said."""
    if costly(answer):
        if result.verdict in COSTS and mistake.verdict in COSTS:
            return result.verdict is mistake.verdict
        return None
    if theirs is None:
        return None
    ours, known = sign(problem, answers, answer, run), sign(problem, answers, answer, theirs)
    if ours.verdict is not known.verdict:
        return False
    if ours.verdict is Outcome.ACCEPTED:
        return True
    if run.ended is not Ended.RETURNED or theirs.ended is not Ended.RETURNED:
        return ours.error == known.error and run.ended is theirs.ended
    if mistake.random:
        return True
    return same_tensors(run, theirs, answer)


def _certain(answer: Answer, run: Run, theirs: Run | None) -> bool:
    """Is it more than a crash of the same type? Where an exception is due, its type is what was asked."""
    if theirs is None or Ended.RAISED not in (run.ended, theirs.ended) or answer.case.raises:
        return True
    return run.error is not None and theirs.error is not None and run.error.text == theirs.error.text


def same_tensors(a: Run, b: Run, answer: Answer) -> bool:
    """Do two runs bring back equal tensors, to within a few times the tolerance? NaN equals NaN here."""
    if set(a.tensors) != set(b.tensors) or any(_kind(a, n, e) != _kind(b, n, e) for n, e in answer.expected.items()):
        return False
    wider = _wider(b, answer)
    return all(
        _close(a.tensors[name], b.tensors[name], (wider if answer.case.draws else 4) * answer.expected[name].tolerance)
        for name in a.tensors
        if name in answer.expected
    )


def _kind(run: Run, name: str, expected: Expected) -> str:
    """A dtype as far as it tells mistakes apart: any integer is an integer, and where booleans are due, 0.0 and 1.0 are integers too."""
    dtype = run.dtypes.get(name, "")
    number = dtype.startswith(("int", "uint")) or (expected.dtype == "bool" and dtype.startswith("float"))
    return "integer" if number else dtype


def _wider(run: Run, answer: Answer) -> float:
    """How much wider a mistake's random results are spread than the answer's: so much less exact are its means and deviations."""
    spreads = [
        float(np.abs(run.tensors[name]).max(initial=0.0)) / max(float(np.abs(expected.values).max(initial=0.0)), 1e-12)
        for name, expected in answer.expected.items()
        if name.startswith("spread.") and name in run.tensors
    ]
    return max([1.0, *(spread for spread in spreads if np.isfinite(spread))])


def _close(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(y)
    if not ((np.isnan(x) == np.isnan(y)).all() and (np.isfinite(x) == finite).all()):
        return False
    scale = float(np.abs(y[finite]).max(initial=0.0)) * 64 * float(np.finfo(a.dtype).eps)
    return float(np.abs(x[finite] - y[finite]).max(initial=0.0)) <= max(tolerance, scale)


_runs: dict[tuple[str, str, int], dict[str, dict[str, Run]]] = {}


def mistake_runs(problem: Problem, answers: Answers, sandbox: Sandbox) -> Mapping[str, Mapping[str, Run]]:
    """What each mistake does in each case that is not about cost: by mistake, by case. Cached in memory and on disk."""
    key = (problem.digest, str(answers.framework), answers.seed)
    if key not in _runs:
        path = (
            secret.cache_folder()
            / "mistakes"
            / f"{problem.slug}-{answers.framework}-{engine()}-{secret.hidden_seed(problem.digest, answers.seed):016x}.safetensors"
        )
        found = _load(read_cached(path))
        if found is None:
            found, whole = _compute(problem, answers, sandbox)
            if not whole:
                return found
            _store(path, found)
        while len(_runs) >= 64:
            _runs.pop(next(iter(_runs)))
        _runs[key] = found
    return _runs[key]


def _compute(problem: Problem, answers: Answers, sandbox: Sandbox) -> tuple[dict[str, dict[str, Run]], bool]:
    """The runs, and whether they are all there: what a lost room or a busy machine left out must not be kept."""
    cheap = [a for a in answers.cases if not costly(a)]
    found, whole = {}, True
    for mistake in problem.mistakes:
        source = mistake.sources.get(answers.framework)
        if source is None:
            continue
        job = Job(source, answers.framework, problem.kind, problem.entries, tuple(a.case for a in cheap), problem.limits, None)
        runs = list(sandbox.run(job))
        accidents = {Ended.LOST} if mistake.verdict is Outcome.TIME_LIMIT else {Ended.LOST, Ended.WALL_TIME}
        found[mistake.name] = {run.case: run for run in runs if run.ended not in accidents}
        whole = whole and len(found[mistake.name]) == len(runs)
    return found, whole


def _store(path: Path, found: Mapping[str, Mapping[str, Run]]) -> None:
    meta: list[list[object]] = []
    tensors: dict[str, np.ndarray] = {}
    for mistake, runs in found.items():
        for case, run in runs.items():
            tensors |= {f"{len(meta)}/{name}": t for name, t in run.tensors.items()}
            error = None if run.error is None else [run.error.type, list(run.error.bases), run.error.text]
            meta.append([mistake, case, str(run.ended), dict(run.dtypes), error])
    write_cached(path, {"runs": json.dumps(meta)}, tensors)


def _load(found: tuple[dict[str, str], dict[str, np.ndarray]] | None) -> dict[str, dict[str, Run]] | None:
    if found is None:
        return None
    try:
        runs: dict[str, dict[str, Run]] = {}
        parts: dict[str, dict[str, np.ndarray]] = {}
        for key, tensor in found[1].items():
            number, _, name = key.partition("/")
            parts.setdefault(number, {})[name] = tensor
        for i, (mistake, case, ended, dtypes, error) in enumerate(json.loads(found[0]["runs"])):
            failure = None if error is None else Failure(error[0], error[2], bases=tuple(error[1]))
            runs.setdefault(mistake, {})[case] = Run(case, Ended(ended), parts.get(str(i), {}), dtypes, failure)
        return runs
    except (KeyError, ValueError, TypeError, IndexError):
        return None


__all__ = ["Sign", "costly", "diagnose", "mistake_runs", "same_tensors", "sign"]
