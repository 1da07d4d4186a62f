"""What the panel of a verdict says beside the numbers: each finding once, for all its cases, and
hints in steps.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.diagnosis.steps import HintStep, Step, hint_steps
from grader.explore.trace import wrong_step_from_json, wrong_step_text
from grader.model import Diagnosis, Framework, Verdict
from grader.verdict.grouping import Group
from grader.verdict.translate import Translator
from server.messages import Message
from server.models.submissions import Submission
from server.services import explorations
from server.services.problems import hints
from server.web.access import asking
from server.web.context import reading, service
from server.web.texts import translate, words_of

NAMES = 4  # of cases, in one line
_NO_TORCH = re.compile(r"^No module named 'torch[.']")


@dataclass(frozen=True, slots=True)
class Wrong:
    """One finding: in which cases, what it is, and whether public inputs show it."""

    where: str
    message: str
    public: bool


def wrong_in(verdict: Mapping[str, Any]) -> list[Wrong]:
    """Returns what is wrong, in the reader's language; empty where a teacher shows no details."""
    words, total = words_of(verdict["problem"]), len(verdict["cases"])
    return [
        Wrong(_where(group, total, words), words.group(group), group.public)
        for group in words.groups(verdict)
    ]


def _where(group: Group, total: int, words: Translator) -> str:
    count, names = len(group.cases), [words.case(case.name) for case in group.cases]
    if count == 1 and group.example.sample:
        return translate("Sample: %(case)s", case=names[0])
    if count == 1:
        return names[0]
    if not group.same:
        return translate("In %(count)s cases, such as %(first)s", count=count, first=names[0])
    if count == total:
        return translate("In all %(count)s cases", count=count)
    more = " …" if count > NAMES else ""
    listed = translate(", ").join(names[:NAMES]) + more
    return translate("In %(count)s cases: %(names)s", count=count, names=listed)


def torch_note(row: Submission) -> Message | None:
    """Returns what to do about a submission in NumPy that fails because it imports torch."""
    cases = (row.verdict or {}).get("cases", ()) if row.framework == Framework.NUMPY else ()
    findings = (finding for case in cases for finding in case.get("findings", ()))
    if not any(_NO_TORCH.search(str(finding.get("text", ""))) for finding in findings):
        return None
    problem = service().bank.get(row.problem)
    if problem is None or Framework.TORCH not in problem.frameworks:
        return Message("This problem is judged as NumPy, where torch is not there.")
    return Message(
        "This was judged as NumPy, where torch is not there. If it is written in PyTorch, choose"
        " the PyTorch tab and submit it again."
    )


STEPS: Mapping[Step, Message] = {
    Step.QUESTION: Message("A question"),
    Step.PLACE: Message("Where to look"),
    Step.IDEA: Message("The idea"),
    Step.LINE: Message("The corrected line"),
}


@dataclass(frozen=True, slots=True)
class Hint:
    """What is shown of the hint to one known mistake.

    To the learner: the steps that they have asked for, and which comes next. To a teacher: all
    steps, and how many were asked for.
    """

    diagnosis: Diagnosis
    steps: tuple[HintStep, ...]
    used: int
    of: int
    own: bool
    next: Message | None

    @property
    def untraced(self) -> bool:
        """Would a trace show where to look, which nothing else did?"""
        last = self.steps[-1]
        return self.own and last.step is Step.PLACE and last.line is None

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases that show the mistake."""
        return self.diagnosis.cases


def hints_of(row: Submission) -> list[Hint]:
    """Returns the hints of a judged submission, for the person who asks."""
    if not row.verdict or not (row.verdict.get("diagnoses") or row.verdict.get("diagnosis")):
        return []
    user = asking()
    own = user is not None and user.id == row.user_id
    used = hints.used(reading(), row.user_id, row.problem)
    return [
        _hint(diagnosis, steps, used.get(diagnosis.mistake[: hints.LONGEST_NAME], 0), own)
        for diagnosis, steps in steps_of(row)
    ]


def _hint(diagnosis: Diagnosis, steps: tuple[HintStep, ...], used: int, own: bool) -> Hint:
    # the first step is there without being asked for
    opened = min(max(1, used), len(steps)) if own else len(steps)
    following = STEPS[steps[opened].step] if opened < len(steps) else None
    return Hint(diagnosis, steps[:opened], used, len(steps), own, following)


def steps_of(row: Submission) -> Iterator[tuple[Diagnosis, tuple[HintStep, ...]]]:
    """Each diagnosis with all its steps, in the reader's language."""
    verdict = Verdict.from_json(row.verdict or {})
    problem, words = service().bank.get(row.problem), words_of(row.problem)
    traced = _traced(row, words)
    for diagnosis in verdict.diagnoses:
        if problem is None:
            yield diagnosis, (HintStep(Step.IDEA, words.hint(diagnosis.mistake, diagnosis.hint)),)
        else:
            given = (problem, Framework(row.framework), row.source, diagnosis, verdict.cases, words)
            yield diagnosis, hint_steps(*given, traced=traced)
        traced = None  # one trace shows one place: that of the first mistake


def _traced(row: Submission, words: Translator) -> tuple[int, str] | None:
    """The line of the first wrong step, and what is said of it, once the learner has traced this
    source.
    """
    trace = explorations.last_trace(reading(), row)
    first = (trace or {}).get("first_wrong_step")
    if not first:
        return None
    wrong = wrong_step_from_json(first)
    return (wrong.line, wrong_step_text(wrong, words.catalogue)) if wrong.is_hint else None
