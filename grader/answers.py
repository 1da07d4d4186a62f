"""What the answers are: the reference, run in the room in float64, with a tolerance measured from
its own noise.

The tolerance of a tensor is `MARGIN` times the spread of equally right evaluations around the
float64 answer: each framework's reference in the case's own dtype, and float64 on inputs moved by
about one unit in the last place. Answers are cached in memory and on disk, by the problem's digest
and the seed; the cache may be deleted at any time.

`cases.py` is drawn twice: with the installation's secret for the hidden cases, and with a public
seed for the samples and for each hidden case's public twin, of which everything that explains is
told (docs/design/twins.md).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from grader import cache, storage
from grader.cache import Cache
from grader.case import STATISTICS, Case, CaseError
from grader.compare import Expected, what_came
from grader.endings import ending
from grader.errors import JudgeError, ProblemError
from grader.findings.codes import Code
from grader.findings.finding import finding
from grader.findings.sentences import sentence
from grader.inside.frames import ABSENT
from grader.model import Ended, Failure, Framework, Kind, Limits, Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, wanted

MARGIN = 32.0
STATISTIC_MARGIN = 8.0  # of a tensor that is itself a statistic of random draws
FLOOR = 32.0  # units in the last place that are always allowed
# of the largest value, in every dtype: room for a guard of 1e-6, such as `weights / (sum + 1e-9)`
EPSILON = 2e-6
SMALL = 1e-2  # tensors smaller than this are compared on this scale
SEEDS = 8  # evaluations of a statistic
CPU_TRIES = 3  # noise only ever adds to CPU time, so the least of a few is nearest to the truth


@dataclass(frozen=True, slots=True)
class Answer:
    """One case and what a right solution brings back from it.

    `cpu_ms` is the reference's, in this framework, on this machine.
    """

    case: Case
    expected: Mapping[str, Expected]
    cpu_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Answers:
    """The cases of a problem in one framework, for one seed.

    `twins` holds, by case name, the same case drawn with the public seed. A sample is its own twin;
    a hidden case in which nothing is drawn has none.
    """

    framework: Framework
    seed: int
    cases: tuple[Answer, ...]
    twins: Mapping[str, Answer] = field(default_factory=dict)
    # see `job.case_frame`
    frames: dict[tuple[int, str], bytes] = field(default_factory=dict, compare=False, repr=False)
    twin_frames: dict[tuple[int, str], bytes] = field(
        default_factory=dict, compare=False, repr=False
    )

    def cpu_limits(self) -> dict[str, float]:
        """CPU milliseconds by case, where a case has such a limit."""
        return {
            a.case.name: a.case.cpu_factor * max(a.cpu_ms, 1.0)
            for a in self.cases
            if a.case.cpu_factor is not None
        }


def reference_cpu(problem: Problem, framework: Framework, case: Case, sandbox: Sandbox) -> float:
    """The least CPU that the reference takes for a case at this moment, in milliseconds."""
    runs = [
        run_reference(problem, framework, sandbox, [case], "its own time") for _ in range(CPU_TRIES)
    ]
    return min(run.cpu_ms for (run,) in runs)


_answers: Cache[tuple[str, str, int], Answers] = Cache()


def answers_for(problem: Problem, framework: Framework, sandbox: Sandbox, seed: int = 0) -> Answers:
    """The answers, from memory, from disk, or by running the reference.

    Raises `ProblemError` when the problem's own code fails.
    """

    def compute() -> tuple[Answers, bool]:
        hidden = _drawn(problem, framework, sandbox, storage.hidden_seed(problem.digest, seed))
        return (
            with_twins(
                problem, hidden, public_answers(problem, framework, sandbox), framework, seed
            ),
            True,
        )

    return _answers.get((problem.digest, str(framework), seed), compute)


def public_answers(problem: Problem, framework: Framework, sandbox: Sandbox) -> list[Answer]:
    """Every case drawn with the public seed, which anybody may see.

    Raises `ProblemError` when the problem's own code fails.
    """
    return _drawn(problem, framework, sandbox, storage.public_seed(problem.slug))


def _drawn(problem: Problem, framework: Framework, sandbox: Sandbox, draw: int) -> list[Answer]:
    path = _path(problem, framework, draw)
    answers = _load(path)
    if answers is None:
        answers = compute(problem, framework, sandbox, draw)
        _store(path, answers)
    return answers


def with_twins(
    problem: Problem, hidden: list[Answer], public: list[Answer], framework: Framework, seed: int
) -> Answers:
    """Hidden cases beside their public twins; samples are the public ones.

    Raises `ProblemError` when the two lists differ.
    """
    ours, theirs = [a.case.name for a in hidden], [a.case.name for a in public]
    if ours != theirs:
        other = next((name for name in ours if name not in theirs), ours[0])
        raise ProblemError(
            f"{problem.folder / 'cases.py'}: yields other cases for another seed (such as"
            f" '{other}'); draw values and sizes from `rng`, never the names, the number or the"
            " order of the cases"
        )
    pairs = list(zip(hidden, public, strict=True))
    twins = {b.case.name: b for a, b in pairs if b.case.sample or _differ(a.case, b.case)}
    return Answers(framework, seed, tuple(b if b.case.sample else a for a, b in pairs), twins)


def _differ(hidden: Case, public: Case) -> bool:
    """Was anything drawn for this case? Else the public draw is the hidden case itself."""
    one, two = hidden.tensors(), public.tensors()
    same = one.keys() == two.keys() and all(
        one[n].dtype == two[n].dtype
        and one[n].shape == two[n].shape
        and one[n].tobytes() == two[n].tobytes()
        for n in one
    )
    return not same or (hidden.options, hidden.init) != (public.options, public.init)


def sample_answers(problem: Problem, sandbox: Sandbox) -> list[tuple[Case, dict[str, np.ndarray]]]:
    """The sample cases with their answers, for statements."""
    answers = public_answers(problem, problem.frameworks[0], sandbox)
    return [
        (a.case, {name: e.values for name, e in a.expected.items()})
        for a in answers
        if a.case.sample
    ]


def compute(problem: Problem, framework: Framework, sandbox: Sandbox, draw: int) -> list[Answer]:
    """Run cases.py with the generator seeded by `draw`, and the references. Raises `ProblemError`."""
    cases = generate(problem, framework, sandbox, draw)
    cases = [
        case for case in cases if case.raises or wanted(case, _last_entry(problem, case), framework)
    ]
    exact = run_reference(
        problem, framework, sandbox, [_widened(case) for case in cases], "float64"
    )
    native = {
        f: run_reference(problem, f, sandbox, cases, "the case's own dtype")
        for f in _ordered(problem, framework)
    }
    spread = _evaluations(problem, framework, sandbox, cases)
    answers = []
    for i, case in enumerate(cases):
        own = native[framework][i]
        others = [runs[i] for runs in native.values()] + [runs[i] for runs in spread]
        expected = (
            {}
            if case.raises
            else {
                name: _expected(problem, case, name, exact[i], own, others)
                for name in wanted(case, _last_entry(problem, case), framework)
            }
        )
        cpu_ms = (
            own.cpu_ms
            if case.cpu_factor is None
            else min(own.cpu_ms, reference_cpu(problem, framework, case, sandbox))
        )
        answers.append(Answer(case, expected, cpu_ms))
    return answers


def generate(problem: Problem, framework: Framework, sandbox: Sandbox, draw: int) -> list[Case]:
    """Run cases.py in the room and check what it yields. Raises `ProblemError`."""
    where = f"{problem.folder / 'cases.py'}"
    try:
        cases = sandbox.generate(problem.cases, framework, draw)
    except CaseError as error:
        raise ProblemError(f"{where}: {error}") from None
    names = [case.name for case in cases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice or not cases:
        raise ProblemError(
            f"{where}:"
            f" {f'two cases are called {twice!r}; rename one' if twice else 'yields no case'}"
        )
    for case in cases:
        _check(problem, case, where)
    return cases


def _check(problem: Problem, case: Case, where: str) -> None:
    entries = {e.name: e for e in problem.entries}
    for name in (case.call, case.then):
        if name and name not in entries:
            raise ProblemError(
                f"{where}: case '{case.name}' calls '{name}'; problem.toml has {', '.join(entries)}"
            )
    entry = problem.entry(case.call)
    taken = {"row"} if problem.kind is Kind.VALUES else {p.name for p in entry.params}
    for arrays, call in ((case.inputs, ""), (case.before, " before")):
        given = {*arrays, *case.options}
        missing = [p.name for p in entry.params if p.required and p.name not in given]
        unknown = sorted(given - taken)
        if (missing or unknown) and (arrays is case.inputs or case.before):
            what = (
                f"does not give '{missing[0]}'{call}"
                if missing
                else f"gives '{unknown[0]}'{call}, which {entry.name} does not take"
            )
            raise ProblemError(f"{where}: case '{case.name}' {what}")
    returns = _last_entry(problem, case).returns
    for want in case.wants:
        group, _, name = want.partition(".")
        once = {"grad": (*case.inputs, *case.state), "after": tuple(case.inputs)}
        others = dict.fromkeys(STATISTICS, returns) if case.draws else once
        if want not in returns and name not in others.get(group, ()):
            known = ", ".join((*returns, *(f"{group}.NAME" for group in others)))
            raise ProblemError(f"{where}: case '{case.name}' wants '{want}'; it can want {known}")


def _last_entry(problem: Problem, case: Case) -> Any:
    return problem.entry(case.then or case.call)


def _ordered(problem: Problem, first: Framework) -> list[Framework]:
    return [first, *(f for f in problem.frameworks if f is not first)]


def run_reference(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    cases: list[Case],
    what: str,
    seed: int = 0,
) -> list[Run]:
    """The reference's run of each case, under four times the limits.

    Raises `ProblemError` when it fails one.
    """
    where = f"reference/{problem.slug}/{framework}.py"
    limits = problem.limits
    wide = Limits(
        wall_s=limits.wall_s * 4,
        cpu_s=limits.cpu_s * 4,
        memory_mib=limits.memory_mib * 4,
        output_mib=limits.output_mib * 2,
        text_kib=limits.text_kib,
        total_s=limits.total_s * 4,
    )
    roomy = tuple(
        replace(case, memory_mib=case.memory_mib * 4 if case.memory_mib else None) for case in cases
    )
    job = Job(
        problem.references[framework],
        framework,
        problem.kind,
        problem.entries,
        roomy,
        wide,
        None,
        seed,
    )
    runs = list(sandbox.run(job))
    for case, run in zip(cases, runs, strict=True):
        if run.ended is Ended.LOST:
            raise JudgeError(f"the room was lost while running {where}")
        if case.raises:
            if (
                run.ended is not Ended.RAISED
                or run.error is None
                or case.raises not in run.error.bases
            ):
                raise ProblemError(
                    f"{where}: case '{case.name}' must raise {case.raises}, but it"
                    f" {how_it_ended(run, problem, case)}"
                )
        elif run.ended is not Ended.RETURNED:
            raise ProblemError(
                f"{where}: case '{case.name}' in {what}: it {how_it_ended(run, problem, case)}"
            )
        elif not framework_has(run, case, problem, framework):
            lost = [came(n, dtype) for n, dtype in run.dtypes.items() if n not in run.tensors]
            raise ProblemError(
                f"{where}: case '{case.name}': {', '.join(lost) or 'a tensor is missing'}"
            )
    return runs


def framework_has(run: Run, case: Case, problem: Problem, framework: Framework) -> bool:
    """Did every tensor that the case wants come back?"""
    return set(wanted(case, _last_entry(problem, case), framework)) <= set(run.tensors)


def came(name: str, dtype: str) -> str:
    """What came in the place of a reference's tensor."""
    if dtype.startswith(ABSENT):
        return sentence(finding(Code.MISSING, tensor=name, came=what_came(dtype)))
    return f"{name} is {dtype}"


def how_it_ended(run: Run, problem: Problem, case: Case) -> str:
    """How a reference's run ended, in a few words."""
    if run.ended in (Ended.BAD_STATE, Ended.DIED, Ended.OUTPUT):
        return f"ended with {run.ended}: {sentence(ending(run, problem, case))}"
    error = run.error or Failure("")
    line = f" (line {error.lineno})" if error.lineno else ""
    return f"ended with {run.ended}: {error.type} {error.text}{line}".rstrip(": ")


def _widened(case: Case) -> Case:
    def wide(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: a.astype(np.float64) if a.dtype.kind == "f" else a for name, a in arrays.items()
        }

    return replace(case, inputs=wide(case.inputs), state=wide(case.state), before=wide(case.before))


def _moved(case: Case, generator: np.random.Generator) -> Case:
    """The same case in float64 with every float moved by up to one unit in the last place of its
    own dtype.
    """

    def moved(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: (
                a.astype(np.float64)
                * (1 + np.finfo(a.dtype).eps * generator.uniform(-1, 1, a.shape))
                if a.dtype.kind == "f"
                else a
            )
            for name, a in arrays.items()
        }

    return replace(
        case, inputs=moved(case.inputs), state=moved(case.state), before=moved(case.before)
    )


def _evaluations(
    problem: Problem, framework: Framework, sandbox: Sandbox, cases: list[Case]
) -> list[list[Run]]:
    """Further evaluations that are as right as any: moved inputs, and other random draws where a
    case judges a statistic.
    """
    generator = np.random.default_rng(7)
    runs = [
        run_reference(
            problem,
            framework,
            sandbox,
            [_moved(case, generator) for case in cases],
            "float64, inputs moved",
        )
        for _ in range(2)
    ]
    if any(case.draws for case in cases):
        wide = [_widened(case) for case in cases]
        runs += [
            run_reference(problem, framework, sandbox, wide, "float64", seed)
            for seed in range(1, SEEDS)
        ]
    return runs


def _expected(
    problem: Problem, case: Case, name: str, exact: Run, own: Run, others: list[Run]
) -> Expected:
    values, dtype = exact.tensors[name], own.dtypes[name]
    if name.startswith("after."):
        return Expected(case.inputs[name[6:]], dtype, 0.0)
    if values.dtype.kind != "f" or dtype in ("int", "bool"):
        return Expected(own.tensors[name], dtype, 0.0)
    finite = np.isfinite(values)
    noise = 0.0
    for run in others:
        if name in run.tensors and run.tensors[name].shape == values.shape:
            noise = max(
                noise,
                float(
                    np.abs(run.tensors[name].astype(np.float64)[finite] - values[finite]).max(
                        initial=0.0
                    )
                ),
            )
    if problem.tolerance is not None:
        return Expected(values, dtype, problem.tolerance, noise)
    # a statistic itself is told in float64
    margin, drawn_in = (STATISTIC_MARGIN, "float32") if case.draws else (MARGIN, dtype)
    eps = float(
        np.finfo(
            drawn_in if drawn_in.startswith("float") and drawn_in != "float" else "float64"
        ).eps
    )
    floor = max(FLOOR * eps, EPSILON) * max(float(np.abs(values[finite]).max(initial=0.0)), SMALL)
    return Expected(values, dtype, max(margin * noise, floor), noise)


# -------------------------------------------------------------------------------------------------------------
# memory and disk


def _path(problem: Problem, framework: Framework, draw: int) -> Path:
    return (
        storage.cache_folder()
        / "answers"
        / f"{problem.slug}-{framework}-{problem.digest[:12]}-{cache.engine()}-{draw:016x}.safetensors"
    )


def _store(path: Path, answers: list[Answer]) -> None:
    tensors: dict[str, np.ndarray] = {}
    meta = []
    for i, answer in enumerate(answers):
        tensors |= {f"{i}/{name}": a for name, a in answer.case.tensors().items()}
        tensors |= {f"{i}/expected.{name}": e.values for name, e in answer.expected.items()}
        kept = {
            name: {**{k: v for k, v in asdict(e).items() if k != "values"}}
            for name, e in answer.expected.items()
        }
        meta.append({"case": answer.case.to_meta(), "expected": kept, "cpu_ms": answer.cpu_ms})
    cache.write(path, {"answers": json.dumps(meta)}, tensors)


def _load(path: Path) -> list[Answer] | None:
    stored = cache.read(path)
    if stored is None:
        return None
    head, tensors = stored
    try:
        parts: dict[int, dict[str, np.ndarray]] = {}
        for key, tensor in tensors.items():
            number, _, name = key.partition("/")
            parts.setdefault(int(number), {})[name] = tensor
        answers = []
        for i, row in enumerate(json.loads(head["answers"])):
            mine = parts.get(i, {})
            case = Case.from_meta(
                row["case"], {n: t for n, t in mine.items() if not n.startswith("expected.")}
            )
            expected = {
                name: Expected(mine[f"expected.{name}"], **kept)
                for name, kept in row["expected"].items()
            }
            answers.append(Answer(case, expected, row["cpu_ms"]))
        return answers
    except (KeyError, ValueError, TypeError):
        return None
