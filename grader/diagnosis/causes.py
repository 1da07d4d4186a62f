"""Why a submission failed: the known mistakes; where none explains it, what it does instead.

`judge` imports this only when something failed.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.answers import Answers
from grader.case import Case
from grader.diagnosis.behaviour import Behaviour, behaviour
from grader.diagnosis.diagnose import diagnose
from grader.diagnosis.matching import Evidence
from grader.model import CaseResult, Diagnosis, Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox
from grader.verdict.judged import Judged

log = logging.getLogger("grader.judge")


@dataclass(frozen=True, slots=True)
class Causes:
    """The known mistakes that were found, and what nothing explains."""

    diagnoses: tuple[Diagnosis, ...] = ()
    behaviour: Behaviour | None = None


def public_evidence(
    judged: Sequence[Judged], results: Sequence[CaseResult], twins: Mapping[str, Judged]
) -> list[Evidence]:
    """What is public of each case: samples, twins, and which cases failed."""
    public = {each.result.name: each for each in judged if each.result.sample} | dict(twins)
    return [_evidence(result, public.get(result.name)) for result in results]


def find_causes(
    problem: Problem,
    job: Job,
    answers: Answers,
    evidence: Sequence[Evidence],
    sandbox: Sandbox,
) -> Causes:
    """Never raises: a failure here costs the hints and nothing else."""

    def rerun(case: Case) -> Run:
        again = replace(job, cases=(case,), seed=job.seed + 1, cpu_ms=None, frames=None)
        return next(iter(sandbox.run(again)))

    try:
        diagnoses = diagnose(problem, answers, evidence, sandbox, rerun)
        explained = any(not each.guess for each in diagnoses)
        return Causes(diagnoses, None if explained else behaviour(answers, evidence))
    except Exception:
        log.exception("diagnosing failed", extra={"fields": {"problem": problem.slug}})
        return Causes()


def _evidence(result: CaseResult, public: Judged | None) -> Evidence:
    if public is None:
        return Evidence(result.name, result.verdict)
    return Evidence(result.name, result.verdict, public.run, public.result.verdict)
