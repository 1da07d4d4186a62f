"""Checks that a sample of the references' mutants is refused or equivalent (rule 11)."""

from collections.abc import Sequence

from grader.answers import Answers
from grader.errors import ProblemError
from grader.findings.text import T_, told
from grader.mutation import Survivor, declares_domain, sample, survey
from grader.mutation.record import Row, described, settles
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify.fitness import Fitness

SAMPLE = 16  # mutants of each reference; `grade mutants` judges all


def check_mutants(
    problem: Problem,
    answers: Answers,
    sandbox: Sandbox,
    seed: int,
    counted: Sequence[Row],
    fitness: Fitness,
) -> None:
    """No mutant of the sample is accepted and wrong, unless mistakes.toml says why.

    Without a domain, nothing says what is wrong. Where all mutants were judged in cases of this
    text, a sample of them is only for other draws, which another seed asks for.
    """
    if not declares_domain(problem):
        return
    if seed == 0 and settles(counted, problem, answers.framework):
        return
    chosen = sample(problem, answers.framework, SAMPLE, seed)
    try:
        counts = survey(problem, answers.framework, sandbox, chosen, seed, draws=1)
    except ProblemError as error:
        fitness.add(11, "cases.py", told(error))
        return
    for survivor in counts.survivors:
        if str(survivor.mutant) not in problem.survivors:
            _add(answers, survivor, fitness)


def _add(answers: Answers, survivor: Survivor, fitness: Fitness) -> None:
    where = T_("reference in %(framework)s", framework=answers.framework)
    text = T_(
        "every case accepts a wrong mutant: %(mutant)s; add a case that refuses it, or give the"
        " reason in mistakes.toml, under [[survivor]]",
        mutant=described(survivor),
    )
    fitness.add(11, where, text)
