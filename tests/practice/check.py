"""Answers every item of a problem rightly and wrongly, and lists what is told otherwise than due.

What is due is worked out here from the bank, not taken from the item, where that is possible.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from grader.answers import public_answers
from grader.explore.own_input import own_answers, tried
from grader.judge import judge
from grader.model import Framework, Outcome, Submission, Verdict
from grader.practice import (
    Answered,
    AnswerError,
    Arrange,
    Beat,
    Bug,
    Fill,
    Item,
    PredictRow,
    PredictShape,
    Step,
    answer,
    answering,
    items,
    read,
)
from grader.practice.changes import changes
from grader.practice.lines import lines_of
from grader.practice.predict import shown
from grader.practice.reading import BETWEEN
from grader.problem import Problem
from grader.sandbox import Sandbox


@dataclass(slots=True)
class Report:
    """How many items of each kind a problem has, and what is wrong with them."""

    counts: Counter[Step] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Try:
    """An answer, whether it is right, and the mistake whose hint is due; of inputs, the mistakes that
    fail on them, or that they are refused.
    """

    texts: tuple[str, ...]
    right: bool
    hint: str | None = None
    fails: frozenset[str] = frozenset()
    refused: bool = False


def check(problem: Problem, framework: Framework, sandbox: Sandbox) -> Report:
    """Tries every item."""
    report = Report()
    with _each_program_judged_once():
        for item in items(problem, framework, sandbox):
            report.counts[item.step] += 1
            for each in tries(problem, item, sandbox):
                report.answers += 1
                told = _told(problem, item, each, sandbox)
                if told:
                    where = f"{problem.slug} {framework} {item.id} {each.texts}"
                    report.wrong.append(f"{where}: {told}")
    return report


@contextmanager
def _each_program_judged_once() -> Iterator[None]:
    """Many answers make the same program, but for brackets and comments."""
    known: dict[str, Verdict] = {}

    def once(problem: Problem, submission: Submission, sandbox: Sandbox) -> Verdict:
        program = ast.dump(ast.parse(submission.source))
        if program not in known:
            known[program] = judge(problem, submission, sandbox)
        return known[program]

    with patch.object(answering, "judge", once):
        yield


def _told(problem: Problem, item: Item, each: Try, sandbox: Sandbox) -> str:
    """What is told otherwise than due."""
    try:
        found = answer(problem, item, read(item, each.texts), sandbox)
    except AnswerError as error:
        return "" if each.refused else f"refused: {error}"
    return "not refused" if each.refused else _differs(each, found)


def _differs(due: Try, found: Answered) -> str:
    if found.right is not due.right:
        return f"right is {found.right}"
    fails = {hint.mistake for hint in found.hints if hint}
    if fails != due.fails:
        return f"{sorted(fails)} fail, not {sorted(due.fails)}"
    hint = found.hint.mistake if found.hint else None
    return f"the hint of {hint}, not {due.hint}" if due.hint not in (None, hint) else ""


def tries(problem: Problem, item: Item, sandbox: Sandbox) -> Iterator[Try]:
    """Yields right and wrong answers to an item."""
    match item:
        case Arrange():
            yield from _arrange(problem, item)
        case Fill():
            yield from _fill(item)
        case Bug():
            yield from _bug(problem, item)
        case PredictShape():
            yield from _shape(problem, item, sandbox)
        case PredictRow():
            yield from _row(problem, item, sandbox)
        case Beat():
            yield from _beat(problem, item, sandbox)


def _arrange(problem: Problem, item: Arrange) -> Iterator[Try]:
    """The lines of the reference; then each distractor in the place of the line it spoils."""
    program = lines_of(problem.references[item.framework])
    part = program[len(item.before) : len(program) - len(item.after)]
    order = [at + 1 for at in item.right]
    assert [item.pool[number - 1] for number in order] == list(part)
    yield Try((_numbers(order),), right=True)
    known = changes(problem, item.framework, program)
    for at, name in item.distractors.items():
        change = next(c for c in known if c.mistake.name == name and c.line == item.pool[at])
        spoilt = list(order)
        spoilt[change.at - len(item.before)] = at + 1
        yield Try((_numbers(spoilt),), right=False, hint=name)


def _numbers(order: list[int]) -> str:
    return " ".join(map(str, order))


def _fill(item: Fill) -> Iterator[Try]:
    """What the reference has; then, in one blank after another, what each mistake has."""
    right = tuple(blank.right for blank in item.blanks)
    yield Try(right, right=True)
    for at, blank in enumerate(item.blanks):
        for name, text in blank.wrong.items():
            yield Try((*right[:at], text, *right[at + 1 :]), right=False, hint=name)


def _bug(problem: Problem, item: Bug) -> Iterator[Try]:
    """Each line by its number; the line as the reference has it; and as it is."""
    reference = lines_of(problem.references[item.framework])
    pairs = enumerate(zip(item.program, reference, strict=True), 1)
    edited = [number for number, (ours, theirs) in pairs if ours != theirs]
    for number in range(1, len(item.program) + 1):
        right = [number] == edited
        yield Try((str(number),), right, None if right else item.mistake)
    at = edited[0]
    yield Try((f"{at}: {reference[at - 1].text}",), right=True)
    yield Try((f"{at}: {item.program[at - 1].text}",), right=False)


def _shape(problem: Problem, item: PredictShape, sandbox: Sandbox) -> Iterator[Try]:
    shape = _values(problem, item, sandbox).shape
    yield Try((_numbers(list(shape)),), right=True)
    for other in ((*shape, 1), shape[:-1], (*shape[:-1], shape[-1] + 1)):
        yield Try((_numbers(list(other)),), right=False)


def _row(problem: Problem, item: PredictRow, sandbox: Sandbox) -> Iterator[Try]:
    due = shown(_values(problem, item, sandbox)[item.place])
    assert item.choices.count(due) == 1
    for number, choice in enumerate(item.choices, 1):
        right = choice == due
        yield Try((str(number),), right, None if right else item.mistakes[number - 1])


def _beat(problem: Problem, item: Beat, sandbox: Sandbox) -> Iterator[Try]:
    """All inputs together; each of them, and those to begin with, by itself; and what is none."""
    texts = dict.fromkeys((*item.right, item.example))
    fails = {text: _failing(problem, item, text, sandbox) for text in texts}
    every = frozenset(item.mistakes)
    yield Try((f"\n{BETWEEN}\n".join(item.right),), right=True, fails=every)
    for text in texts:
        yield Try((text,), fails[text] == every, fails=fails[text])
    for text in (f" \n{BETWEEN}\n", f"{item.example}no_argument = 1\n", "no_argument"):
        yield Try((text,), right=False, refused=True)


def _failing(problem: Problem, item: Beat, text: str, sandbox: Sandbox) -> frozenset[str]:
    """The mistakes that `grade try` calls wrong on an input; the reference is right."""
    due = next(own_answers(problem, item.framework, sandbox, [text]))

    def accepted(source: str) -> bool:
        sent = Submission(item.framework, source)
        return tried(problem, sent, sandbox, due, rules=False).verdict is Outcome.ACCEPTED

    assert accepted(problem.references[item.framework])
    known = {m.name: m.sources[item.framework] for m in problem.mistakes if m.name in item.mistakes}
    return frozenset(name for name, source in known.items() if not accepted(source))


def _values(problem: Problem, item: PredictShape | PredictRow, sandbox: Sandbox):  # type: ignore[no-untyped-def]
    found = public_answers(problem, item.framework, sandbox)
    return next(a for a in found if a.case.name == item.case).expected[item.tensor].values
