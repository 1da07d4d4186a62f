"""The questions of a lesson as one person is asked them, and what an answer comes to.

Which variant, and the order of choices and items, follow from the person and the question, so that
they stay the same.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import UsageError
from grader.lessons import Lesson, Question, QuestionKind, Values
from grader.lessons.questions import written
from server.messages import Message

LONGEST_ANSWER = 200
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE)
BLANKS = str.maketrans("−，", "-,", " \u00a0\u2009\u202f")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice, or an item to put in order; `number` is its place in questions.toml, from 0."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as somebody is asked it, in a language."""

    question: Question
    variant: int
    text: str
    options: tuple[Option, ...]

    @property
    def name(self) -> str:
        """Of the question."""
        return self.question.name


@dataclass(frozen=True, slots=True)
class Result:
    """Whether an answer is right, and why: the author's sentence, a formula or a count."""

    right: bool
    why: str = ""
    in_place: int = 0  # items of an order that stand where they belong


def ask(lesson: Lesson, question: Question, person: str, language: str) -> Asked:
    """The question as a person is asked it; nobody in particular is the person ''."""
    draw = random.Random(f"{person} {lesson.slug} {question.name}")
    variant = draw.randrange(max(1, len(question.given)))
    options = [Option(i, text) for i, text in enumerate(_texts(question, language))]
    in_order = list(options)
    draw.shuffle(options)
    if question.kind is QuestionKind.ORDER and options == in_order:
        options.reverse()
    return Asked(question, variant, question.wording(variant, language), tuple(options))


def _texts(question: Question, language: str) -> tuple[str, ...]:
    if question.kind is QuestionKind.ORDER:
        return question.items_zh if language == "zh" and question.items_zh else question.items
    return tuple(
        choice.text_zh if language == "zh" and choice.text_zh else choice.text
        for choice in question.choices
    )


def answer_of(shown: Asked, form: Mapping[str, str]) -> str:
    """What a form answers, as it is kept: the number of a choice, a number, or the place of each
    item.

    Raises `UsageError` for what is no answer.
    """
    match shown.question.kind:
        case QuestionKind.CHOICE:
            answer = form.get("choice", "")
            if answer not in map(str, range(len(shown.options))):
                raise UsageError(Message("Choose one of the answers."))
        case QuestionKind.NUMBER:
            answer = form.get("number", "").strip()
            if len(answer) > LONGEST_ANSWER or not _readings(answer):
                raise UsageError(Message("Write one number, such as 12, 0.5 or 0,5."))
        case QuestionKind.ORDER:
            places = [form.get(f"place-{i}", "") for i in range(len(shown.options))]
            answer = " ".join(places)
            if sorted(places) != sorted(map(str, range(1, len(places) + 1))):
                raise UsageError(Message("Give each item a place, and each place once."))
    return answer


def judge(shown: Asked, answer: str, values: Values, language: str) -> Result | None:
    """What an answer comes to. None when it is none, or while the lesson is not computed."""
    match shown.question.kind:
        case QuestionKind.CHOICE:
            return _chosen(shown.question, answer, language)
        case QuestionKind.NUMBER:
            return _number(shown, answer, values)
        case QuestionKind.ORDER:
            return _ordered(shown.question, answer)


def _chosen(question: Question, answer: str, language: str) -> Result | None:
    chosen = dict(zip(map(str, range(len(question.choices))), question.choices, strict=True))
    if answer not in chosen:
        return None
    choice = chosen[answer]
    why = choice.why_zh if language == "zh" and choice.why_zh else choice.why
    return Result(choice.right, why)


def _number(shown: Asked, answer: str, values: Values) -> Result | None:
    question, readings = shown.question, _readings(answer)
    value = values.get(question.key(shown.variant))
    if value is None or not readings:
        return None
    if not any(abs(reading - value) <= question.tolerance for reading in readings):
        return Result(False)
    return Result(True, f"{_formula(shown)} = {written(round(value, 4))}")


def _formula(shown: Asked) -> str:
    """The expression with the numbers of the variant."""
    text = shown.question.answer
    for name, given in (shown.question.given or ({},))[shown.variant].items():
        text = re.sub(rf"\b{name}\b", written(given), text)
    return text


def _readings(answer: str) -> set[float]:
    """The numbers that a text may mean: "1,024" is 1.024 or 1024. None when it is no number."""
    text = answer.translate(BLANKS)
    if "," in text and "." in text:  # the last of them is the decimal sign
        thousands = "," if text.rindex(",") < text.rindex(".") else "."
        texts = {text.replace(thousands, "").replace(",", ".")}
    else:
        texts = {text.replace(",", "."), re.sub(r",(\d{3})(?!\d)", r"\1", text)}
    return {float(each) for each in texts if NUMBER.fullmatch(each)}


def _ordered(question: Question, answer: str) -> Result | None:
    places, right = answer.split(" "), [str(i + 1) for i in range(len(question.items))]
    if sorted(places) != sorted(right):
        return None
    in_place = sum(a == b for a, b in zip(places, right, strict=True))
    return Result(places == right, in_place=in_place)
