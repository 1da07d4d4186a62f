"""The steps of a hint, from a question to the corrected line: a learner asks for one at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from grader.diagnosis.correction import Correction, correction
from grader.findings.catalogue import N_
from grader.findings.codes import Code
from grader.findings.finding import Finding
from grader.model import CaseResult, Diagnosis, Framework
from grader.problem import Mistake, Problem
from grader.verdict.translate import ENGLISH, Translator


class Step(StrEnum):
    """What a step gives away: more from one to the next."""

    QUESTION = "question"
    PLACE = "place"
    IDEA = "idea"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class HintStep:
    """One step, in the reader's language.

    `code` is the learner's line, or in the last step the line as it should be; `rule` the rule of
    the statement to read again.
    """

    step: Step
    text: str
    line: int | None = None
    code: str = ""
    rule: str = ""


OF_A_RULE = N_("What does your code do where the statement says “%(rule)s”?")
OTHERWISE = N_(
    "Work out the first wrong number by hand. Which step of your code gives something else?"
)
QUESTIONS = {
    Code.WRONG_SHAPE: N_("Which axes must the result have, and which line makes another shape?"),
    Code.NOT_FINITE: N_("For which inputs does a step divide by zero, or leave its range?"),
    Code.RAISED: N_("What are the shapes and types of all values in the line that fails?"),
    Code.RAISED_IN_DRIVER: N_("What does the driver expect of what your code returned last?"),
    Code.RAISED_ANOTHER: N_("Which inputs are invalid, and where does your code find out?"),
    Code.NOT_RAISED: N_("Which inputs are invalid, and where does your code find out?"),
    Code.MISSING: N_("Does every path of your code return what the statement asks for?"),
    Code.RETURNED_NONE: N_("Does every path of your code return what the statement asks for?"),
    Code.INPUT_MODIFIED: N_("Which line writes into an array that belongs to the caller?"),
    Code.INPUT_MODIFIED_IN: N_("Which line writes into an array that belongs to the caller?"),
    Code.WRONG_DTYPE: N_("Which line changes the type of the numbers?"),
    Code.OVER_REFERENCE_TIME: N_("How does the time grow when the input is twice as long?"),
    Code.OVER_CPU_FACTOR: N_("How does the time grow when the input is twice as long?"),
    Code.OVER_MEMORY: N_("How does the memory grow when the input is twice as long?"),
}
AT_LINE = N_("Look at line %(line)d.")
IN_CASES = N_("Look at what these cases have in common: %(cases)s.")
CORRECTED = N_("Line %(line)d as it should be:")
SHOWN_CASES = 3


def hint_steps(
    problem: Problem,
    framework: Framework,
    source: str,
    diagnosis: Diagnosis,
    cases: Iterable[CaseResult] = (),
    translator: Translator = ENGLISH,
    traced: tuple[int, str] | None = None,
) -> tuple[HintStep, ...]:
    """Returns the steps for one known mistake of a submission.

    `traced` is the line of the first wrong step of a trace, and what is said of it, where the
    submission was traced: it is where to look if the edit of the mistake does not show.

    The last one is left out where the edit of the mistake has no certain place in the source.
    """
    mistake = next((m for m in problem.mistakes if m.name == diagnosis.mistake), None)
    fix = _fix(problem, framework, source, mistake)
    findings = list(_findings(cases, diagnosis))
    rule = _rule(problem, diagnosis.rule, translator)
    steps = [
        HintStep(Step.QUESTION, _question(mistake, rule, findings, translator), rule=rule),
        _place(fix, findings, diagnosis, source, translator, traced),
        HintStep(Step.IDEA, translator.hint(diagnosis.mistake, diagnosis.hint), rule=rule),
    ]
    if fix is not None:
        text = translator.gettext(CORRECTED) % {"line": fix.line}
        steps.append(HintStep(Step.LINE, text, fix.line, fix.after.strip()))
    return tuple(steps)


def _fix(
    problem: Problem, framework: Framework, source: str, mistake: Mistake | None
) -> Correction | None:
    if mistake is None or framework not in mistake.sources or framework not in problem.references:
        return None
    return correction(problem.references[framework], mistake.sources[framework], source)


def _findings(cases: Iterable[CaseResult], diagnosis: Diagnosis) -> Iterator[Finding]:
    """What is wrong in the cases that show the mistake."""
    for case in cases:
        if case.name in diagnosis.cases:
            yield from case.findings


def _rule(problem: Problem, rule: str, translator: Translator) -> str:
    """The name of a rule in the reader's language."""
    english = problem.statement_rules.get(ENGLISH.language, ())
    here = problem.statement_rules.get(translator.language, ())
    return here[english.index(rule)] if rule in english and len(here) == len(english) else rule


def _question(
    mistake: Mistake | None, rule: str, findings: list[Finding], translator: Translator
) -> str:
    if mistake is not None and mistake.question:
        return translator.question(mistake.name, mistake.question)
    if rule:
        return translator.gettext(OF_A_RULE) % {"rule": rule}
    question = next((QUESTIONS[f.code] for f in findings if f.code in QUESTIONS), OTHERWISE)
    return translator.gettext(question)


def _place(
    fix: Correction | None,
    findings: list[Finding],
    diagnosis: Diagnosis,
    source: str,
    translator: Translator,
    traced: tuple[int, str] | None,
) -> HintStep:
    """The line where it is known, from the mistake's edit, an exception or a trace; else the
    cases.
    """
    raised = next((f.line for f in findings if f.line is not None), None)
    line = fix.line if fix is not None else raised
    lines = source.splitlines()
    if line is None and traced is not None and 0 < traced[0] <= len(lines):
        return HintStep(Step.PLACE, traced[1], traced[0], lines[traced[0] - 1].strip())
    if line is None or not 0 < line <= len(lines):
        names = ", ".join(translator.case(name) for name in diagnosis.cases[:SHOWN_CASES])
        return HintStep(Step.PLACE, translator.gettext(IN_CASES) % {"cases": names})
    text = translator.gettext(AT_LINE) % {"line": line}
    return HintStep(Step.PLACE, text, line, lines[line - 1].strip())
