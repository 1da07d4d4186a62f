"""Computes the answers of one draw of `cases.py`: the reference, run in the room in float64."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from grader.answers.answer import Answer
from grader.answers.cases import KEPT_BYTES, generate, last_entry
from grader.answers.disk import load, path_of, store
from grader.answers.reference import CPU_TRIES, Evaluation, reference_cpu, run_reference
from grader.answers.tolerance import evaluations, expected_tensor
from grader.cache import Cache
from grader.case import Case, in_float64
from grader.findings.text import T_
from grader.model import Framework, Run
from grader.problem import Problem
from grader.sandbox import Sandbox, parts, wanted

# what each reference does in a draw: the answers of every framework look at all of them
_native: Cache[tuple[str, str, str, int], Mapping[str, Run]] = Cache(4)


def drawn(
    problem: Problem, framework: Framework, sandbox: Sandbox, draw: int, timed: bool = True
) -> list[Answer]:
    """Returns the answers of one draw, from disk or by running the references on what cases.py
    yields for it. Unless `timed`, no submission's time is compared with theirs.

    Raises `ProblemError`.
    """
    path = path_of(problem, framework, draw)
    answers = load(path)
    if answers is None:
        cases = generate(problem, framework, sandbox, draw)
        answers = answers_of(problem, framework, sandbox, cases, timed, draw)
        store(path, answers)
    return answers


def answers_of(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    cases: list[Case],
    timed: bool = True,
    draw: int | None = None,
) -> list[Answer]:
    """Returns the answers of any cases, by running the references. Cases that are all those of a
    `draw` run once for all frameworks. Raises `ProblemError`.
    """
    # the same cases for all frameworks, so that those of a draw run once
    whole = [c for c in cases if any(_wanted(problem, c, f) for f in problem.frameworks)]
    cases = [case for case in whole if _wanted(problem, case, framework)]
    exactly = Evaluation([in_float64(case) for case in cases], "float64")
    exact, *spread = run_reference(problem, framework, sandbox, [exactly, *evaluations(cases)])
    natives = {f: _natively(problem, f, sandbox, whole, draw) for f in problem.frameworks}
    alike = defaultdict[str, list[Run]](list)
    for run in chain(*(runs.values() for runs in natives.values()), *spread):
        alike[run.case].append(run)
    answers = []
    for i, case in enumerate(cases):
        own, entry = natives[framework][case.name], last_entry(problem, case)
        names = (
            ()
            if case.raises
            else parts(wanted(case, entry, framework), entry.nested, exact[i].tensors)
        )
        others = alike[case.name]
        expected = {n: expected_tensor(problem, case, n, exact[i], own, others) for n in names}
        cpu_ms = own.cpu_ms
        if timed and case.cpu_factor is not None:
            again = reference_cpu(problem, framework, case, sandbox, CPU_TRIES - 1)
            cpu_ms = min(cpu_ms, again)
        answers.append(Answer(case, expected, cpu_ms))
    return answers


def _wanted(problem: Problem, case: Case, framework: Framework) -> bool:
    """Is there anything to judge of a case in this framework?"""
    return bool(case.raises or wanted(case, last_entry(problem, case), framework))


def _natively(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    cases: Sequence[Case],
    draw: int | None,
) -> Mapping[str, Run]:
    """What a framework's reference does in the cases' own dtypes, by case."""

    def compute() -> tuple[Mapping[str, Run], bool]:
        evaluation = Evaluation(cases, T_("the case's own dtype"))
        (runs,) = run_reference(problem, framework, sandbox, [evaluation])
        size = sum(tensor.nbytes for run in runs for tensor in run.tensors.values())
        return {run.case: run for run in runs}, size <= KEPT_BYTES

    if draw is None:
        return compute()[0]
    return _native.get((problem.slug, problem.digest, str(framework), draw), compute)
