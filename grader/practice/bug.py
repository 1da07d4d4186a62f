"""Makes programs with one wrong line, from the known mistakes that fail a public case."""

from collections.abc import Mapping

from grader.answers import Answer, Answers
from grader.diagnosis.fingerprints import mistake_runs
from grader.diagnosis.matching import Known
from grader.model import Framework, Outcome
from grader.practice.changes import Change, changes, spread
from grader.practice.item import Bug, Step
from grader.practice.lines import Lines, lines_of
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verdict.outcome import judge_case

MOST = 6
LEAST_LINES = 3  # of a program: in a shorter one there is nothing to look for


def bugs(
    problem: Problem, framework: Framework, answers: Answers, sandbox: Sandbox
) -> tuple[Bug, ...]:
    """Returns an item for each mistake that a public case shows, one line after another."""
    program = lines_of(problem.references[framework])
    if len(program) < LEAST_LINES:
        return ()
    runs = mistake_runs(problem, answers, sandbox)
    items: list[Bug] = []
    for change in spread(changes(problem, framework, program)):
        shown = _failing(answers, runs.get(change.mistake.name, {}))
        if shown is not None and len(items) < MOST:
            name = f"{Step.BUG}-{len(items) + 1}"
            items.append(_item(problem, framework, name, program, change, *shown))
    return tuple(items)


def _failing(answers: Answers, known: Mapping[str, Known]) -> tuple[Answer, Known] | None:
    """Returns the first public case that fails, a sample where one does, and what is done there."""
    public = [answers.twins[a.case.name] for a in answers.cases if a.case.name in answers.twins]
    for answer in sorted(public, key=lambda each: not each.case.sample):
        behaviour = known.get(answer.case.name)
        if behaviour is not None and behaviour.verdict is not Outcome.ACCEPTED:
            return answer, behaviour
    return None


def _item(
    problem: Problem,
    framework: Framework,
    name: str,
    program: Lines,
    change: Change,
    answer: Answer,
    known: Known,
) -> Bug:
    result = judge_case(problem, framework, answer, known.run)
    return Bug(
        id=name,
        framework=framework,
        program=(*program[: change.at], change.line, *program[change.at + 1 :]),
        case=answer.case.name,
        findings=result.findings,
        mistake=change.mistake.name,
        line=change.at + 1,
        right=program[change.at].text,
    )
