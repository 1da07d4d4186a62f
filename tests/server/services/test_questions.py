"""Questions as somebody is asked them, and what answers come to."""

from typing import cast

import pytest

from grader.errors import UsageError
from grader.lessons import Choice, Lesson, Question, QuestionKind
from server.services.lessons.questions import Asked, Result, answer_of, ask, judge

CHOICE = Question(
    "choice",
    QuestionKind.CHOICE,
    "Which?",
    "哪个？",
    choices=(
        Choice("one", "一", "Yes, one.", "对，一。", True),
        Choice("two", "二", "No, two.", "不，二。", False),
        Choice("three", "三", "No, three.", "不，三。", False),
    ),
)
NUMBER = Question(
    "number",
    QuestionKind.NUMBER,
    "Half of {n}?",
    "{n} 的一半？",
    answer="n / 2",
    tolerance=0.01,
    given=({"n": 3}, {"n": 2048}),
)
ORDER = Question("order", QuestionKind.ORDER, "Sort.", "", items=("c", "a", "b"))
VALUES = {NUMBER.key(0): 1.5, NUMBER.key(1): 1024}


class _Lesson:
    slug = "first"


LESSON = cast(Lesson, _Lesson())


def asked(question: Question, variant: int = 0) -> Asked:
    return Asked(
        question, variant, question.wording(variant), ask(LESSON, question, "", "en").options
    )


def test_each_person_always_sees_the_same_and_people_differ() -> None:
    for question in (CHOICE, NUMBER, ORDER):
        seen = [ask(LESSON, question, str(person), "en") for person in range(60)]
        again = [ask(LESSON, question, str(person), "en") for person in range(60)]
        assert seen == again
        assert len({(each.variant, each.options) for each in seen}) > 1
    assert {ask(LESSON, NUMBER, str(person), "en").text for person in range(60)} == {
        "Half of 3?",
        "Half of 2048?",
    }


def test_no_order_is_shown_solved() -> None:
    for person in range(200):
        options = ask(LESSON, ORDER, str(person), "en").options
        assert sorted(option.number for option in options) == [0, 1, 2]
        assert [option.number for option in options] != [0, 1, 2]


def test_the_language_changes_words_and_no_place() -> None:
    english, chinese = (ask(LESSON, CHOICE, "7", language) for language in ("en", "zh"))
    assert [o.number for o in english.options] == [o.number for o in chinese.options]
    assert {o.text for o in chinese.options} == {"一", "二", "三"}
    assert chinese.text == "哪个？"
    assert {o.text for o in ask(LESSON, ORDER, "7", "zh").options} == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("answer", "language", "result"),
    [
        ("0", "en", Result(True, "Yes, one.")),
        ("2", "en", Result(False, "No, three.")),
        ("1", "zh", Result(False, "不，二。")),
        ("3", "en", None),
        ("-1", "en", None),
        ("", "en", None),
    ],
)
def test_a_choice_has_its_own_sentence(answer: str, language: str, result: Result | None) -> None:
    assert judge(asked(CHOICE), answer, {}, language) == result


NUMBERS = [
    (0, "1.5", True),
    (0, "1,5", True),
    (0, " 1.509 ", True),
    (0, "1.52", False),
    (0, "-1.5", False),
    (0, "15e-1", True),
    (0, "nan", None),
    (0, "inf", None),
    (0, "1_5", None),
    (0, "3/2", None),
    (0, "", None),
    (1, "1024", True),
    (1, "1 024", True),
    (1, "1,024", True),
    (1, "1,024.0", True),
    (1, "1.024,0", True),
    (1, "1.024", False),
    (1, "1e999", False),
]


@pytest.mark.parametrize(("variant", "answer", "right"), NUMBERS)
def test_a_number_with_comma_or_point(variant: int, answer: str, right: bool | None) -> None:
    result = judge(asked(NUMBER, variant), answer, VALUES, "en")
    assert (None if result is None else result.right) is right


def test_a_right_number_shows_how_it_is_computed() -> None:
    assert judge(asked(NUMBER), "1.5", VALUES, "en") == Result(True, "3 / 2 = 1.5")
    assert judge(asked(NUMBER, 1), "1024", VALUES, "en") == Result(True, "2048 / 2 = 1024")
    assert judge(asked(NUMBER), "2", VALUES, "en") == Result(False)


def test_a_number_waits_for_the_lesson() -> None:
    assert judge(asked(NUMBER), "1.5", {}, "en") is None


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("1 2 3", Result(True, in_place=3)),
        ("1 3 2", Result(False, in_place=1)),
        ("2 3 1", Result(False)),
        ("1 1 2", None),
        ("1 2", None),
        ("", None),
    ],
)
def test_an_order_counts_what_is_in_place(answer: str, result: Result | None) -> None:
    assert judge(asked(ORDER), answer, {}, "en") == result


FORMS = [
    (CHOICE, {"choice": "2"}, "2"),
    (NUMBER, {"number": " 1,5 "}, "1,5"),
    (ORDER, {"place-0": "2", "place-1": "3", "place-2": "1"}, "2 3 1"),
]
REFUSED = [
    (CHOICE, {}, "Choose one of the answers."),
    (CHOICE, {"choice": "3"}, "Choose one"),
    (NUMBER, {"number": "about 3"}, "Write one number, such as 12, 0.5 or 0,5."),
    (NUMBER, {}, "Write one number"),
    (NUMBER, {"number": "0" * 200 + "12"}, "Write one number"),
    (ORDER, {"place-0": "2", "place-1": "2", "place-2": "1"}, "and each place once"),
    (ORDER, {"place-0": "2", "place-1": "1"}, "Give each item a place"),
    (ORDER, {"place-0": "2", "place-1": "4", "place-2": "1"}, "Give each item a place"),
]


@pytest.mark.parametrize(("question", "form", "answer"), FORMS)
def test_an_answer_is_read_from_a_form(
    question: Question, form: dict[str, str], answer: str
) -> None:
    assert answer_of(asked(question), form) == answer


@pytest.mark.parametrize(("question", "form", "said"), REFUSED)
def test_what_is_no_answer_is_refused(question: Question, form: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        answer_of(asked(question), form)
