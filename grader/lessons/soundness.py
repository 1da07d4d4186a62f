"""Checks that the questions of a lesson are sound: one right answer, and no answer that is right by
accident.
"""

import re
from collections.abc import Iterator

from grader.findings.text import T_, Text
from grader.lessons.definition import Lesson, Values
from grader.lessons.questions import FILE, Question, QuestionKind

# 3, -2, 0.5 and 4 096
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))*(?:\.\d+)?")
BLANKS = str.maketrans("−", "-", " \u00a0\u2009\u202f")


def unsound(lesson: Lesson, values: Values) -> Iterator[Text]:
    """What is wrong with each question, as sentences that name it; `values` are the lesson's."""
    path = str(lesson.folder / FILE)
    for question in lesson.questions:
        findings = [*_of_kind(question, values)]
        if "zh" in lesson.texts:
            findings += map(_missing, _untranslated(question))
        for finding in findings:
            yield T_(
                "%(path)s: question '%(name)s': %(what)s",
                path=path,
                name=question.name,
                what=finding,
            )


def _missing(place: Text | str) -> Text:
    return T_("%(place)s is missing; the lesson is in Chinese, so are its questions", place=place)


def _of_kind(question: Question, values: Values) -> Iterator[Text]:
    match question.kind:
        case QuestionKind.CHOICE:
            right = sum(choice.right for choice in question.choices)
            if right != 1:
                yield T_(
                    "%(count)d choices are right; exactly one must have 'right = true'", count=right
                )
        case QuestionKind.NUMBER:
            yield from _by_accident(question, values)
        case QuestionKind.ORDER:
            yield from _sorted(question)


def _by_accident(question: Question, values: Values) -> Iterator[Text]:
    """Numbers that a guess would take and that are accepted: 0, and those of the text."""
    for variant in range(max(1, len(question.given))):
        answer = values[question.key(variant)]
        texts = {question.wording(variant, language) for language in ("en", "zh")}
        for guess in sorted({0.0, *(number for text in texts for number in numbers(text))}):
            if abs(guess - answer) <= question.tolerance:
                yield T_(
                    "the answer is %(answer)g ± %(tolerance)g, which accepts %(guess)g, a number"
                    " that stands in the text or is 0; ask for another number",
                    answer=answer,
                    tolerance=question.tolerance,
                    guess=guess,
                )


def numbers(text: str) -> list[float]:
    """The numbers that a text shows."""
    return [float(match[0].translate(BLANKS)) for match in NUMBER.finditer(text)]


def _sorted(question: Question) -> Iterator[Text]:
    for key, items in (("items", question.items), ("items_zh", question.items_zh)):
        if items and list(items) == sorted(items, key=str.casefold):
            yield T_(
                "'%(key)s' is in alphabetical order, which gives the answer away; word it anew",
                key=key,
            )


def _untranslated(question: Question) -> Iterator[Text | str]:
    if not question.text_zh:
        yield "'text_zh'"
    if question.items and not question.items_zh:
        yield "'items_zh'"
    for number, choice in enumerate(question.choices, 1):
        for key, text in (("text_zh", choice.text_zh), ("why_zh", choice.why_zh)):
            if not text:
                yield T_("'%(key)s' of choice %(number)d", key=key, number=number)
