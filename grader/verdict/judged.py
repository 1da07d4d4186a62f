"""One case of a submission: what the room reported, and what it comes to."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from grader.answers import Answer
from grader.findings.codes import Code
from grader.findings.finding import finding
from grader.model import CaseResult, Framework, Outcome, Run
from grader.problem import Problem
from grader.verdict.outcome import Judgement, case_result, judge_case
from grader.verdict.redact import wants_twin

log = logging.getLogger("grader.judge")
# a tensor larger than this, and than four answers, is compared and then dropped
KEPT_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: what the room reported, and what it comes to, in full detail."""

    answer: Answer
    run: Run
    kind: Code
    result: CaseResult
    elsewhere: str = ""  # the accepted case in which an input was written to, if that is the fault

    @property
    def passed(self) -> bool:
        """Is the case accepted?"""
        return self.result.verdict is Outcome.ACCEPTED

    @property
    def wants_twin(self) -> bool:
        """Is this a failure that its public twin explains?"""
        return wants_twin(self.result, self.run)


def judged_case(
    problem: Problem,
    framework: Framework,
    answer: Answer,
    run: Run,
    limit: float | None,
    public: bool,
) -> Judged:
    """Judges one case; why it fails is looked at only where that is `public`.

    This is the one boundary at which a defect of the judge is caught: what a submission sends may
    not cost more than its own verdict.
    """
    try:
        judgement = judge_case(problem, framework, answer, run, limit, brief=not public)
    except Exception:
        log.exception(
            "comparing failed",
            extra={"fields": {"problem": problem.slug, "case": answer.case.name}},
        )
        run = replace(run, tensors={}, dtypes={})
        judgement = Judgement(
            Outcome.WRONG_ANSWER, Code.NOT_A_RESULT, (finding(Code.NOT_COMPARABLE),)
        )
    run = replace(run, tensors=_of_its_size(run.tensors, answer) if public else {})
    return Judged(
        answer, run, judgement.kind or Code.NOT_A_RESULT, case_result(answer, run, judgement)
    )


def looks_afterwards(answer: Answer) -> bool:
    """Is this a hidden case that looks at its inputs after the call?"""
    return not answer.case.sample and any(name.startswith("after.") for name in answer.expected)


def written_in(case: str, judged: Judged) -> Judged:
    """An accepted case that looks at its inputs afterwards, failed for what another case saw."""
    wrong = Judgement(
        Outcome.WRONG_ANSWER, Code.INPUT_MODIFIED, (finding(Code.INPUT_MODIFIED_IN, case=case),)
    )
    result = case_result(judged.answer, judged.run, wrong)
    return replace(judged, kind=Code.INPUT_MODIFIED, result=result, elsewhere=case)


def _of_its_size(tensors: Mapping[str, np.ndarray], answer: Answer) -> dict[str, np.ndarray]:
    """The tensors without those far larger than the answer: kept for every case, they would fill
    the memory.
    """
    largest = {name: max(KEPT_BYTES, 4 * e.values.nbytes) for name, e in answer.expected.items()}
    kept = {
        name: tensor
        for name, tensor in tensors.items()
        if tensor.nbytes <= largest.get(name, KEPT_BYTES)
    }
    if len(kept) == len(tensors):
        return kept
    # all tensors of a frame lie in one piece of memory
    return {name: tensor.copy() for name, tensor in kept.items()}
