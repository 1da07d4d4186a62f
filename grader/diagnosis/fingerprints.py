"""What known mistakes do in the public cases: each alone, and two at once.

Nothing of a learner is in here, so it is computed once and kept, in memory and on disk.
"""

import json
import zlib
from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np

from grader import cache, storage
from grader.answers import Answers
from grader.cache import Cache
from grader.diagnosis.matching import Known, Runs, bounds, costly
from grader.model import Ended, Failure, Framework, Outcome, Run
from grader.problem import Problem, composed
from grader.sandbox import Job, Sandbox
from grader.verdict.outcome import judge_case

AND = " + "  # between the names of two mistakes
_runs: Cache[tuple[str, str], Runs] = Cache()
_case_pairs: Cache[tuple[str, str, str], Runs] = Cache()
_pair_runs: Cache[tuple[str, str, str], Runs] = Cache(256)


def mistake_runs(problem: Problem, answers: Answers, sandbox: Sandbox) -> Runs:
    """What each mistake does in each public case that is not about cost: by mistake, by case.
    Cached in memory and on disk.

    A case in which nothing is drawn is as it is; of such a case, only the verdict is ever used.
    """
    path = _path(problem, answers, "")

    def compute() -> tuple[Runs, bool]:
        runs, whole = _load(cache.read(path)), True
        if runs is None:
            runs, whole = _compute(problem, answers, sandbox)
            if whole:
                _store(path, runs)
        return _judged(problem, answers, runs), whole

    return _runs.get((problem.digest, str(answers.framework)), compute)


def pairs_in(problem: Problem, answers: Answers, case: str, sandbox: Sandbox) -> Runs:
    """What two mistakes at once do in one public case: by the names of both, by case.

    For every two whose edits of the reference do not overlap. Cached in memory and on disk.
    """
    path = _path(problem, answers, f"-{zlib.crc32(case.encode()):08x}")

    def compute() -> tuple[Runs, bool]:
        runs = _load(cache.read(path))
        if runs is None:
            sources = _pairs(problem, answers.framework)
            runs, whole = _survey(problem, answers, sources, [case], sandbox)
            if not whole:
                return _judged(problem, answers, runs), False
            _store(path, runs)
        return _judged(problem, answers, runs), True

    return _case_pairs.get((problem.digest, str(answers.framework), case), compute)


def pair_runs(
    problem: Problem, answers: Answers, pair: str, sandbox: Sandbox
) -> Mapping[str, Known]:
    """What two mistakes at once do in every public case that is not about cost."""
    source = _pairs(problem, answers.framework)[pair]
    cases = [a.case.name for a in answers.cases if not costly(a)]

    def compute() -> tuple[Runs, bool]:
        runs, whole = _survey(problem, answers, {pair: source}, cases, sandbox)
        return _judged(problem, answers, runs), whole

    return _pair_runs.get((problem.digest, str(answers.framework), pair), compute)[pair]


def _pairs(problem: Problem, framework: Framework) -> dict[str, str]:
    """The source of every two mistakes at once, by the names of both."""
    known = [m for m in problem.mistakes if framework in m.edits and not m.random]
    found = {
        f"{one.name}{AND}{two.name}": composed(
            problem.references[framework], one.edits[framework], two.edits[framework]
        )
        for one, two in combinations(known, 2)
    }
    return {names: source for names, source in found.items() if source is not None}


def _survey(
    problem: Problem,
    answers: Answers,
    sources: Mapping[str, str],
    cases: Collection[str],
    sandbox: Sandbox,
) -> tuple[dict[str, dict[str, Run]], bool]:
    """The runs of many programs, and whether the room was there for all.

    Two mistakes may loop for ever where neither does alone: what took too long is left out.
    """
    public = [answers.twins.get(a.case.name, a).case for a in answers.cases]
    chosen = tuple(case for case in public if case.name in cases)
    job = Job("", answers.framework, problem.kind, problem.entries, chosen, problem.limits, None)
    found = list(sandbox.survey(job, sources.values()))
    whole = not any(run.ended is Ended.LOST for runs in found for run in runs)
    return {
        names: {run.case: run for run in runs if run.ended not in (Ended.LOST, Ended.WALL_TIME)}
        for names, runs in zip(sources, found, strict=True)
    }, whole


def _path(problem: Problem, answers: Answers, part: str) -> Path:
    about = f"{problem.slug}-{answers.framework}-{problem.digest[:12]}{part}"
    return storage.cache_folder() / "mistakes" / f"{about}-{cache.engine()}.safetensors"


def _judged(problem: Problem, answers: Answers, runs: Mapping[str, Mapping[str, Run]]) -> Runs:
    public = {a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases}

    def known(case: str, run: Run) -> Known:
        verdict = judge_case(problem, answers.framework, public[case], run, brief=True).verdict
        return Known(run, verdict, bounds(run, public[case]))

    return Runs(
        (mistake, {case: known(case, run) for case, run in theirs.items()})
        for mistake, theirs in runs.items()
    )


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
