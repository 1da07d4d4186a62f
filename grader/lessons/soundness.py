"""Checks that the questions of a lesson are sound: one right answer, and no answer that is right by
accident.
"""

import re
from collections.abc import Iterator

from grader.lessons.definition import Lesson, Values
from grader.lessons.questions import FILE, Question, QuestionKind

# 3, -2, 0.5 and 4 096
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))*(?:\.\d+)?")
BLANKS = str.maketrans("−", "-", " \u00a0\u2009\u202f")


def unsound(lesson: Lesson, values: Values) -> Iterator[str]:
    """What is wrong with each question, as sentences that name it; `values` are the lesson's."""
    for question in lesson.questions:
        place = f"{lesson.folder / FILE}: question '{question.name}': "
        for finding in _of_kind(question, values):
            yield place + finding
        if "zh" in lesson.texts:
            for key in _untranslated(question):
                yield f"{place}{key} is missing; the lesson is in Chinese, so are its questions"


def _of_kind(question: Question, values: Values) -> Iterator[str]:
    match question.kind:
        case QuestionKind.CHOICE:
            right = sum(choice.right for choice in question.choices)
            if right != 1:
                yield f"{right} choices are right; exactly one must have 'right = true'"
        case QuestionKind.NUMBER:
            yield from _by_accident(question, values)
        case QuestionKind.ORDER:
            yield from _sorted(question)


def _by_accident(question: Question, values: Values) -> Iterator[str]:
    """Numbers that a guess would take and that are accepted: 0, and those of the text."""
    for variant in range(max(1, len(question.given))):
        answer = values[question.key(variant)]
        texts = {question.asked(variant, language) for language in ("en", "zh")}
        for guess in sorted({0.0, *(number for text in texts for number in numbers(text))}):
            if abs(guess - answer) <= question.tolerance:
                yield (
                    f"the answer is {answer:g} ± {question.tolerance:g}, which accepts {guess:g},"
                    " a number that stands in the text or is 0; ask for another number"
                )


def numbers(text: str) -> list[float]:
    """The numbers that a text shows."""
    return [float(match[0].translate(BLANKS)) for match in NUMBER.finditer(text)]


def _sorted(question: Question) -> Iterator[str]:
    for key, items in (("items", question.items), ("items_zh", question.items_zh)):
        if items and list(items) == sorted(items, key=str.casefold):
            yield f"'{key}' is in alphabetical order, which gives the answer away; word it anew"


def _untranslated(question: Question) -> Iterator[str]:
    if not question.text_zh:
        yield "'text_zh'"
    if question.items and not question.items_zh:
        yield "'items_zh'"
    for number, choice in enumerate(question.choices, 1):
        for key, text in (("text_zh", choice.text_zh), ("why_zh", choice.why_zh)):
            if not text:
                yield f"'{key}' of choice {number}"
