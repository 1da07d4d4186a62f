"""Says whether an answer is right. Where it makes a program, the judge decides."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.errors import JudgeError
from grader.findings.text import T_
from grader.judge import judge
from grader.model import Outcome, Submission, Verdict
from grader.practice.item import (
    Answered,
    Arrange,
    Beat,
    Blank,
    Bug,
    Fill,
    Given,
    Hint,
    Item,
    Mend,
    Placed,
    PredictRow,
    PredictShape,
)
from grader.practice.kills import expected, kills
from grader.practice.lines import Line, Lines, source_of
from grader.problem import Problem
from grader.sandbox import Sandbox


def answer(problem: Problem, item: Item, given: Given, sandbox: Sandbox) -> Answered:
    """Judges what `read` made of an answer to an item of this problem.

    Raises `TypeError` for an answer to another kind of item, `AnswerError` for inputs that the
    statement does not allow, and `JudgeError` where the judge could not judge it.
    """
    match item, given:
        case PredictShape(), tuple():
            return Answered(given == item.right)
        case PredictRow(), int():
            right = given - 1 == item.right
            return Answered(right, None if right else _hint(problem, [item.mistakes[given - 1]]))
        case Bug(), int():
            right = given == item.line
            return Answered(right, None if right else _hint(problem, [item.mistake]))
        case Beat(), tuple():
            return _beaten(problem, item, [str(text) for text in given], sandbox)
    program, suspects = assembled(item, given)
    return _judged(problem, item, program, suspects, sandbox)


def assembled(item: Item, given: Given) -> tuple[Lines, list[str]]:
    """Returns the program that an answer makes, and the known mistakes that surely are in it."""
    match item, given:
        case Arrange(), tuple():
            placed = [each for each in given if isinstance(each, Placed)]
            chosen = (Line(item.pool[p.number - 1].text, p.indent) for p in placed)
            wrong = [item.distractors.get(p.number - 1, "") for p in placed]
            return (*item.before, *chosen, *item.after), [name for name in wrong if name]
        case Fill(), tuple():
            texts = [str(each) for each in given]
            return filled(item, texts), list(_mistakes(item.blanks, texts))
        case Bug(), Mend():
            line = replace(item.program[given.line - 1], text=given.text)
            program = item.program
            suspects = [] if given.line == item.line else [item.mistake]
            return (*program[: given.line - 1], line, *program[given.line :]), suspects
    raise TypeError(
        f"{type(given).__name__} is not an answer to {item.id}; use what read() returns"
    )


def filled(item: Fill, texts: Sequence[str]) -> Lines:
    """Returns the program with an expression in each blank, in brackets, so that it stays one."""
    program = list(item.program)
    pairs = sorted(zip(item.blanks, texts, strict=True), key=lambda pair: -pair[0].start)
    for blank, text in pairs:
        line = program[blank.line]
        whole = f"{line.text[: blank.start]}({text}){line.text[blank.end :]}"
        program[blank.line] = replace(line, text=whole)
    return tuple(program)


def _mistakes(blanks: Sequence[Blank], texts: Sequence[str]) -> Iterator[str]:
    """Yields the mistakes whose expression was filled in."""
    for blank, text in zip(blanks, texts, strict=True):
        for name, wrong in blank.wrong.items():
            if same_expression(text, wrong):
                yield name


def same_expression(one: str, two: str) -> bool:
    """Whether two texts are one expression, however they are spaced and bracketed."""
    try:
        trees = [ast.dump(ast.parse(f"({text})", mode="eval")) for text in (one, two)]
    except (RecursionError, MemoryError):  # so many levels: the parser gives up
        return False
    return trees[0] == trees[1]


def _judged(
    problem: Problem, item: Item, program: Lines, suspects: Sequence[str], sandbox: Sandbox
) -> Answered:
    submission = Submission(item.framework, source_of(program))
    verdict = judge(problem, submission, sandbox)
    if verdict.verdict is Outcome.JUDGE_ERROR:
        words = T_(
            "%(problem)s: %(item)s could not be judged; try again",
            problem=problem.slug,
            item=item.id,
        )
        raise JudgeError(words)
    if verdict.verdict is Outcome.ACCEPTED:
        return Answered(True, verdict=verdict)
    return Answered(False, _hint(problem, _likely(verdict, suspects)), verdict)


def _beaten(problem: Problem, item: Beat, texts: Sequence[str], sandbox: Sandbox) -> Answered:
    answers = expected(problem, item.framework, texts, sandbox)
    matrix = kills(problem, item.framework, item.mistakes, answers, sandbox)
    hit = [any(column) for column in zip(*matrix, strict=True)]
    pairs = zip(item.mistakes, hit, strict=True)
    hints = tuple(_hint(problem, [name]) if killed else None for name, killed in pairs)
    return Answered(all(hit), kills=matrix, hints=hints)


def _likely(verdict: Verdict, suspects: Sequence[str]) -> list[str]:
    """Returns mistakes, the likeliest first: what the diagnosis names and the answer surely has,
    then what the answer surely has, then what the diagnosis names.
    """
    named = [each.mistake for each in verdict.diagnoses]
    return [*(name for name in suspects if name in named), *suspects, *named]


def _hint(problem: Problem, names: Sequence[str]) -> Hint | None:
    hints = {mistake.name: mistake.hint for mistake in problem.mistakes}
    return Hint(names[0], hints[names[0]]) if names else None
