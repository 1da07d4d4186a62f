"""Computes the answers of one draw of `cases.py`: the reference, run in the room in float64."""

from collections import defaultdict
from itertools import chain

from grader.answers.answer import Answer
from grader.answers.cases import generate, last_entry
from grader.answers.disk import load, path_of, store
from grader.answers.reference import CPU_TRIES, Evaluation, reference_cpu, run_reference
from grader.answers.tolerance import evaluations, expected_tensor
from grader.case import Case, in_float64
from grader.model import Framework, Run
from grader.problem import Problem
from grader.sandbox import Sandbox, parts, wanted


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
        answers = answers_of(problem, framework, sandbox, cases, timed)
        store(path, answers)
    return answers


def answers_of(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    cases: list[Case],
    timed: bool = True,
) -> list[Answer]:
    """Returns the answers of any cases, by running the references. Raises `ProblemError`."""
    cases = [
        case for case in cases if case.raises or wanted(case, last_entry(problem, case), framework)
    ]
    exactly = Evaluation([in_float64(case) for case in cases], "float64")
    natively = Evaluation(cases, "the case's own dtype")
    exact, native, *spread = run_reference(
        problem, framework, sandbox, [exactly, natively, *evaluations(cases)]
    )
    others = (other for other in problem.frameworks if other is not framework)
    elsewhere = [runs for f in others for runs in run_reference(problem, f, sandbox, [natively])]
    further = defaultdict[str, list[Run]](list)
    for run in chain(*elsewhere, *spread):
        further[run.case].append(run)
    answers = []
    for i, case in enumerate(cases):
        own, alike = native[i], [native[i], *further[case.name]]
        entry = last_entry(problem, case)
        names = (
            ()
            if case.raises
            else parts(wanted(case, entry, framework), entry.nested, exact[i].tensors)
        )
        expected = {n: expected_tensor(problem, case, n, exact[i], own, alike) for n in names}
        cpu_ms = own.cpu_ms
        if timed and case.cpu_factor is not None:
            again = reference_cpu(problem, framework, case, sandbox, CPU_TRIES - 1)
            cpu_ms = min(cpu_ms, again)
        answers.append(Answer(case, expected, cpu_ms))
    return answers
