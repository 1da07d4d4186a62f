"""What known mistakes do in the public cases: each alone, and two at once.

Nothing of a learner is in here, so it is computed once and kept, in memory and on disk.
"""

import json
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from grader import cache, storage
from grader.answers import Answers
from grader.cache import Cache
from grader.case import Case
from grader.diagnosis.equality import bounds
from grader.diagnosis.hypotheses import Pair
from grader.diagnosis.matching import COSTS, Known, Runs, about_cost, costly, manner
from grader.engine import engine
from grader.model import Ended, Failure, Framework, Outcome, Run
from grader.problem import Mistake, Problem, composed, edit_between
from grader.sandbox import Job, Sandbox, with_sources
from grader.verdict.outcome import judge_case

AND = " + "  # between the names of two mistakes
VARIANT = "~"  # before the number of a variant of a mistake
_runs: Cache[tuple[str, str, str], Runs] = Cache()
_surveyed: Cache[tuple[str, str, str, str], "_Surveyed"] = Cache(256)
_pair_runs: Cache[tuple[str, str, str, str], Runs] = Cache(256)


@dataclass(slots=True)
class _Surveyed:
    """What pairs do in one case, as far as it was asked."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    runs: dict[str, Mapping[str, Known]] = field(default_factory=dict)


def mistake_runs(problem: Problem, answers: Answers, sandbox: Sandbox) -> Runs:
    """What each mistake does in each public case that is not about cost: by mistake, by case; that
    of its variants under names of their own, see `programs`. Cached in memory and on disk.

    A case in which nothing is drawn is as it is; of such a case, only the verdict is ever used.
    """
    path = _path(problem, answers)

    def compute() -> tuple[Runs, bool]:
        runs, whole = _load(cache.read(path)), True
        if runs is None:
            runs, whole = _compute(problem, answers, sandbox)
            if whole:
                _store(path, runs)
        return _judged(problem, answers, runs), whole

    return _runs.get((problem.slug, problem.digest, str(answers.framework)), compute)


def programs(mistake: Mistake, framework: Framework) -> list[Mistake]:
    """Returns a mistake and its variants, as mistakes `name`, `name~1`, `name~2`."""
    others = enumerate(mistake.variants.get(framework, ()), 1)
    return [
        mistake,
        *(
            replace(mistake, name=f"{mistake.name}{VARIANT}{i}", sources={framework: s})
            for i, s in others
        ),
    ]


def mistakes_of(programs: Pair) -> Pair:
    """Returns the names of the mistakes that two programs are variants of."""
    one, two = (program.partition(VARIANT)[0] for program in programs)
    return one, two


def pairs_in(
    problem: Problem, answers: Answers, case: str, pairs: Collection[Pair], sandbox: Sandbox
) -> Runs:
    """What each of some pairs of mistakes, both at once, does in one public case.

    Pairs whose edits of the reference overlap are left out. What was once run is kept in memory.
    """
    kept = _surveyed.get(
        (problem.slug, problem.digest, str(answers.framework), case), lambda: (_Surveyed(), True)
    )
    with kept.lock:
        missing = [pair for pair in pairs if AND.join(pair) not in kept.runs]
        if missing:
            sources = _composed(problem, answers.framework, missing)
            runs, whole = _survey(problem, answers, sources, [case], sandbox)
            if whole:  # else what has no run is asked again
                kept.runs.update((AND.join(pair), {}) for pair in missing)
            kept.runs.update((n, r) for n, r in _judged(problem, answers, runs).items() if r)
        return Runs((name, kept.runs.get(name, {})) for name in map(AND.join, pairs))


def pair_runs(
    problem: Problem, answers: Answers, pair: Pair, sandbox: Sandbox
) -> Mapping[str, Known]:
    """What two mistakes at once do in every public case that is not about cost."""
    cases = [a.case.name for a in answers.cases if not costly(a)]

    def compute() -> tuple[Runs, bool]:
        sources = _composed(problem, answers.framework, [pair])
        runs, whole = _survey(problem, answers, sources, cases, sandbox)
        return _judged(problem, answers, runs), whole

    key = (problem.slug, problem.digest, str(answers.framework), AND.join(pair))
    return _pair_runs.get(key, compute)[AND.join(pair)]


def _composed(problem: Problem, framework: Framework, pairs: Collection[Pair]) -> dict[str, str]:
    """The source of two mistakes at once, by the names of both."""
    reference = problem.references[framework]
    edits = {m.name: m.edits[framework] for m in problem.mistakes if framework in m.edits}
    edits |= {
        variant.name: edit_between(reference, variant.sources[framework])
        for mistake in problem.mistakes
        if mistake.name in edits
        for variant in programs(mistake, framework)[1:]
    }
    sources = {
        AND.join((one, two)): composed(reference, edits[one], edits[two])
        for one, two in pairs
        if one in edits and two in edits
    }
    return {names: source for names, source in sources.items() if source is not None}


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
    job = Job(
        "",
        answers.framework,
        problem.kind,
        problem.entries,
        chosen,
        problem.limits,
        driver=problem.driver,
    )
    surveyed = list(sandbox.survey(with_sources(job, sources.values())))
    whole = not any(run.ended is Ended.LOST for runs in surveyed for run in runs)
    return {
        names: {run.case: run for run in runs if run.ended not in (Ended.LOST, Ended.WALL_TIME)}
        for names, runs in zip(sources, surveyed, strict=True)
    }, whole


def _path(problem: Problem, answers: Answers) -> Path:
    about = f"{problem.slug}-{answers.framework}-{problem.digest[:12]}"
    return storage.cache_folder() / "mistakes" / f"{about}-{engine()}.safetensors"


def _judged(problem: Problem, answers: Answers, runs: Mapping[str, Mapping[str, Run]]) -> Runs:
    public = {a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases}

    def known(case: str, run: Run) -> Known:
        verdict = judge_case(problem, answers.framework, public[case], run, brief=True).verdict
        return Known(run, verdict, bounds(run, public[case]), manner(run, public[case]))

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
    cheap = [answers.twins.get(a.case.name, a).case for a in answers.cases if not costly(a)]
    framework = answers.framework
    known = (m for m in problem.mistakes if framework in m.sources)
    mistakes = [program for mistake in known for program in programs(mistake, framework)]
    by_mistake, whole = {}, True
    for mistake, runs in zip(
        mistakes, run_mistakes(problem, framework, mistakes, cheap, sandbox), strict=True
    ):
        accidents = (
            {Ended.LOST} if mistake.verdict is Outcome.TIME_LIMIT else {Ended.LOST, Ended.WALL_TIME}
        )
        by_mistake[mistake.name] = {
            case: run for case, run in runs.items() if run.ended not in accidents
        }
        whole = whole and len(by_mistake[mistake.name]) == len(runs)
    return by_mistake, whole


def run_mistakes(
    problem: Problem,
    framework: Framework,
    mistakes: Sequence[Mistake],
    cases: Sequence[Case],
    sandbox: Sandbox,
    cpu_ms: Mapping[str, float] | None = None,
    everywhere: bool = False,
) -> Iterator[dict[str, Run]]:
    """Yields the runs of each mistake by case, in as few containers as will do.

    A mistake that is about cost has a container of its own, and runs in every case. The others do
    not run in the cases about cost, which take most of the time, unless `everywhere`.
    """
    job = Job(
        "",
        framework,
        problem.kind,
        problem.entries,
        tuple(cases),
        problem.limits,
        cpu_ms=cpu_ms,
        driver=problem.driver,
    )
    cheap = replace(job, cases=tuple(case for case in cases if not about_cost(case)))
    slow = {m.name for m in mistakes if everywhere or m.verdict in COSTS}
    quick = (m.sources[framework] for m in mistakes if m.name not in slow)
    surveyed = sandbox.survey(with_sources(cheap, quick))
    for mistake in mistakes:
        alone = replace(job, source=mistake.sources[framework])
        runs = sandbox.run(alone) if mistake.name in slow else next(surveyed)
        yield {run.case: run for run in runs}


def _store(path: Path, by_mistake: Mapping[str, Mapping[str, Run]]) -> None:
    meta: list[list[object]] = []
    tensors: dict[str, np.ndarray] = {}
    for mistake, runs in by_mistake.items():
        for case, run in runs.items():
            tensors |= {f"{len(meta)}/{name}": t for name, t in run.tensors.items()}
            error = (
                None
                if run.error is None
                else [
                    run.error.type,
                    list(run.error.bases),
                    run.error.text,
                    dict(run.error.details),
                ]
            )
            meta.append([mistake, case, str(run.ended), dict(run.dtypes), error])
    cache.write(path, {"runs": json.dumps(meta)}, tensors)


def _details(stored: Mapping[str, object]) -> dict[str, object]:
    """Returns what an error says besides its text, with tuples again, which JSON has as lists."""
    return {k: tuple(value) if isinstance(value, list) else value for k, value in stored.items()}


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
            failure = (
                None
                if error is None
                else Failure(error[0], error[2], bases=tuple(error[1]), details=_details(error[3]))
            )
            runs.setdefault(mistake, {})[case] = Run(
                case, Ended(ended), parts.get(str(i), {}), dtypes, failure
            )
        return runs
    except (KeyError, ValueError, TypeError, IndexError):
        return None
