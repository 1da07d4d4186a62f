"""Which of many wrong programs a case refuses: they share a container, and the first case that
refuses a program ends its judging.

A program that is not among them proves nothing yet: `judge` decides about it, alone.
"""

from collections.abc import Mapping
from dataclasses import replace

from grader.answers import Answer, answers_for
from grader.diagnosis.matching import costly
from grader.model import Framework, Outcome, Run
from grader.mutation.sieve import SHARED, job_of
from grader.problem import Problem
from grader.sandbox import Sandbox, with_sources
from grader.verdict.outcome import Judgement, judge_case

REFUSED = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)
CONTROL = "the reference"
# An optimizer's first step imports PyTorch's compiler, which takes longer than all cases together
# may. A program that imports it as it is loaded takes that time for all.
LATE, EARLY = "torch.optim", "import torch._dynamo\n"


def refusals(
    problem: Problem, framework: Framework, sources: Mapping[str, str], sandbox: Sandbox
) -> dict[str, Judgement]:
    """The judgement of a case that refuses a program, by the program's name.

    Samples refuse half of them; the others run in the hidden cases. Only cases that give points and
    are neither about cost nor about random draws.
    """
    answers = answers_for(problem, framework, sandbox).cases
    quick = [a for a in answers if a.case.points and not costly(a) and not a.case.draws]
    refused: dict[str, Judgement] = {}
    for sample in (True, False):
        chunk = [a for a in quick if a.case.sample is sample]
        left = {name: source for name, source in sources.items() if name not in refused}
        refused |= _refused(problem, framework, chunk, left, sandbox)
    return refused


def _refused(
    problem: Problem,
    framework: Framework,
    answers: list[Answer],
    sources: Mapping[str, str],
    sandbox: Sandbox,
) -> dict[str, Judgement]:
    """Those that one of these cases refuses.

    The reference runs last, as a control: where it fails as well, an earlier program has changed
    the container, and nothing counts.
    """
    if not sources or not answers:
        return {}
    reference = problem.references[framework]
    first = {"": EARLY + reference} if any(LATE in s for s in sources.values()) else {}
    programs = {**first, **sources, CONTROL: reference}
    job = replace(job_of(problem, framework, answers), rules=problem.rules)
    found = dict(zip(programs, sandbox.survey(with_sources(job, programs.values())), strict=True))
    firsts = {name: _first(problem, framework, answers, runs) for name, runs in found.items()}
    if firsts.pop(CONTROL) is not None:
        return {}
    return {name: judgement for name, judgement in firsts.items() if judgement is not None}


def _first(
    problem: Problem, framework: Framework, answers: list[Answer], runs: list[Run]
) -> Judgement | None:
    """The first judgement that refuses a program, unless its neighbours may have caused it."""
    for answer, run in zip(answers, runs, strict=True):
        judgement = judge_case(problem, framework, answer, run)
        if judgement.verdict is not Outcome.ACCEPTED:
            certain = judgement.verdict in REFUSED and run.ended not in SHARED
            return judgement if certain else None
    return None
