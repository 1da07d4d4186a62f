"""The kill matrix: which known mistakes fail on which of the inputs that a learner wrote."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.answers import Answer
from grader.diagnosis.fingerprints import run_mistakes
from grader.errors import JudgeError
from grader.explore.complaints import InputError
from grader.explore.own_input import own_answers
from grader.findings.text import T_
from grader.model import Framework, Outcome, Run
from grader.practice.item import Kills
from grader.practice.reading import AnswerError
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verdict.judged import judged_case


def expected(
    problem: Problem, framework: Framework, texts: Sequence[str], sandbox: Sandbox
) -> list[Answer]:
    """Returns what is expected on the inputs of each text.

    Raises `AnswerError` for inputs that the statement does not allow.
    """
    answers: list[Answer] = []
    try:
        answers.extend(own_answers(problem, framework, sandbox, texts))
    except InputError as error:
        wrong, number = error.complaint.text, len(answers) + 1
        raise AnswerError(T_("input %(number)d: %(wrong)s", number=number, wrong=wrong)) from None
    return answers


def kills(
    problem: Problem,
    framework: Framework,
    names: Iterable[str],
    answers: Sequence[Answer],
    sandbox: Sandbox,
) -> Kills:
    """Returns a row for each input: whether each of the named mistakes fails there.

    Raises `JudgeError` where a program could not be run.
    """
    known = {mistake.name: mistake for mistake in problem.mistakes}
    mistakes = [known[name] for name in names]
    named = [
        replace(answer, case=replace(answer.case, name=str(number)))
        for number, answer in enumerate(answers)
    ]
    runs = run_mistakes(problem, framework, mistakes, [a.case for a in named], sandbox)
    columns = [[_fails(problem, framework, a, each[a.case.name]) for a in named] for each in runs]
    return tuple(zip(*columns, strict=True))


def _fails(problem: Problem, framework: Framework, answer: Answer, run: Run) -> bool:
    verdict = judged_case(problem, framework, answer, run, None, public=True).result.verdict
    if verdict is Outcome.JUDGE_ERROR:
        words = T_("%(problem)s: the inputs could not be judged; try again", problem=problem.slug)
        raise JudgeError(words)
    return verdict is not Outcome.ACCEPTED
