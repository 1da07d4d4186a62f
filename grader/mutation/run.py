"""survey(problem, framework, sandbox, mutants) -> Counts: refused, equivalent, or a survivor."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from grader.answers import Answer, Answers, answers_for
from grader.diagnosis.matching import costly
from grader.model import Framework, Outcome
from grader.mutation.domain import domain_answers
from grader.mutation.mutant import Mutant
from grader.mutation.mutants import candidates, distinct, first_like
from grader.mutation.sieve import job_of, refusals
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verdict.outcome import judge_case


@dataclass(frozen=True, slots=True)
class Survivor:
    """A wrong mutant that every case accepts, and the smallest input that shows it."""

    mutant: Mutant
    shown_by: Answer


@dataclass(frozen=True, slots=True)
class Counts:
    """How the mutants of one reference fare."""

    framework: Framework
    refused: int
    equivalent: int
    survivors: tuple[Survivor, ...]

    @property
    def total(self) -> int:
        """All mutants that were judged."""
        return self.refused + self.equivalent + len(self.survivors)


def sample(problem: Problem, framework: Framework, count: int, seed: int) -> list[Mutant]:
    """Returns some mutants of a reference, taken at random."""
    source = problem.references[framework]
    mutants = list(candidates(source, framework))
    random.Random(f"{problem.slug} {framework} {seed}").shuffle(mutants)
    return list(islice(distinct(source, mutants), count))


def survey(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    chosen: Sequence[Mutant],
    seed: int = 0,
    draws: int = 1,
) -> Counts:
    """Judges mutants, and compares those that are accepted with the reference on other inputs.

    Raises `ProblemError` where the reference fails on an input from the domain.
    """
    answers = answers_for(problem, framework, sandbox, seed)
    refused = refusals(problem, framework, _quick(answers.cases), chosen, sandbox)
    accepted = [mutant for mutant in chosen if mutant not in refused]
    inputs = domain_answers(problem, framework, sandbox, draws) if accepted else []
    wrong = refusals(problem, framework, _quick(inputs), accepted, sandbox)
    equal = [mutant for mutant in accepted if mutant not in wrong]
    late = refusals(problem, framework, _statistics(answers.cases), equal, sandbox)
    survivors = [
        Survivor(first_like(mutant, problem.references[framework], framework), answer)
        for mutant, answer in wrong.items()
        if _survives(problem, answers, mutant, sandbox)
    ]
    refused_count = len(refused) + len(wrong) - len(survivors) + len(late)
    return Counts(framework, refused_count, len(equal) - len(late), tuple(survivors))


def _survives(problem: Problem, answers: Answers, mutant: Mutant, sandbox: Sandbox) -> bool:
    """Is a mutant accepted by every case, alone in its container and under every limit?"""
    limits = answers.cpu_limits()
    job = job_of(problem, answers.framework, answers.cases, mutant.source, limits)
    return all(
        judge_case(
            problem, answers.framework, answer, run, limits.get(answer.case.name), brief=True
        ).verdict
        is Outcome.ACCEPTED
        for answer, run in zip(answers.cases, sandbox.run(job), strict=True)
    )


def _quick(answers: Sequence[Answer]) -> list[Answer]:
    """The cases that are not about cost and call once."""
    return [a for a in answers if not costly(a) and not a.case.draws]


def _statistics(answers: Sequence[Answer]) -> list[Answer]:
    """The cases that call many times, which most mutants need not wait for."""
    return [a for a in answers if not costly(a) and a.case.draws]
