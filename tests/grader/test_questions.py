"""The questions of lessons: their file, their answers from the room, and what makes them unsound."""

import re
from pathlib import Path

import pytest

from grader.errors import ProblemError
from grader.lessons import Lesson, Question, QuestionKind, check, compute, load, load_lessons
from grader.lessons.soundness import numbers, unsound
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests import ROOT
from tests.grader.test_lessons import bank

__all__ = ["bank"]  # a fixture

QUESTIONS = """
[[question]]
name = "largest"
kind = "choice"
text = "Which sum has a row?"
text_zh = "一行的和是多少？"

[[question.choices]]
text = "1"
text_zh = "1"
why = "They are shares."
why_zh = "它们是份额。"
right = true

[[question.choices]]
text = "2"
text_zh = "2"
why = "That is the number of rows."
why_zh = "那是行数。"

[[question]]
name = "pairs"
kind = "number"
text = "A text has {n} words. How many pairs are there?"
text_zh = "文章有 {n} 个词。一共有多少对？"
answer = "n**2 * sums[0]"
tolerance = 0.5
given = { n = [3, 7] }

[[question]]
name = "steps"
kind = "order"
text = "Put the steps in order."
text_zh = "排好步骤的顺序。"
items = ["scores", "softmax", "mixture"]
items_zh = ["分数", "份额", "混合"]
"""


@pytest.fixture
def asking(bank: Path) -> Path:
    """A bank whose lesson has a question of each kind."""
    (bank / "lessons" / "first" / "questions.toml").write_text(QUESTIONS)
    (bank / "lessons" / "first" / "lesson.zh.md").write_text(
        (bank / "lessons" / "first" / "lesson.md").read_text()
    )
    return bank


def edit(bank: Path, old: str, new: str) -> Lesson:
    """The lesson after a change of its questions."""
    path = bank / "lessons" / "first" / "questions.toml"
    assert old in QUESTIONS
    path.write_text(QUESTIONS.replace(old, new, 1))
    return load(bank, "first")


def test_a_question_of_each_kind_is_read(asking: Path) -> None:
    choice, number, order = load(asking, "first").questions
    assert [each.kind for each in (choice, number, order)] == list(QuestionKind)
    assert [each.right for each in choice.choices] == [True, False]
    assert choice.choices[1].why == "That is the number of rows."
    assert number.given == ({"n": 3}, {"n": 7})
    assert number.wording(1) == "A text has 7 words. How many pairs are there?"
    assert number.wording(0, "zh") == "文章有 3 个词。一共有多少对？"
    assert order.items == ("scores", "softmax", "mixture")


def test_the_examples_of_the_manual_are_read(bank: Path) -> None:
    manual = (ROOT / "docs" / "lessons.md").read_text()
    examples = re.findall(r"^```toml\n(.*?)^```", manual, re.MULTILINE | re.DOTALL)
    (bank / "lessons" / "first" / "questions.toml").write_text("\n".join(examples))
    lesson = load(bank, "first")
    assert [str(each.kind) for each in lesson.questions] == ["choice", "number", "order"]
    values = {f"question pairs {i}": n * (n + 1) / 2 for i, n in enumerate((5, 6, 8))}
    assert list(unsound(lesson, values)) == []


def test_a_lesson_without_questions(bank: Path) -> None:
    assert load(bank, "first").questions == ()


FILE_FAULTS = [
    ('name = "largest"', "", "question 1: 'name' is missing; see docs/lessons.md"),
    ('"largest"', '"The largest"', "'name' is 'The largest'; use at most 40 of a-z"),
    ('"largest"', '"pairs"', "two questions are called 'pairs'; change one"),
    ('"choice"', '"chioce"', "question 'largest': 'kind' is 'chioce' (did you mean 'choice'?)"),
    ('text = "Which sum has a row?"', 'text = ""', "question 'largest': 'text' is empty"),
    ("Which sum", "x" * 501, "has 512 characters; use at most 500"),
    ("right = true", "rihgt = true", "choice 1: unknown key 'rihgt' (did you mean 'right'?)"),
    ('why = "They are shares."', "", "question 'largest', choice 1: 'why' is missing"),
    ('text = "2"', 'text = "1"', "two have the text '1'; change one"),
    ("tolerance = 0.5", "tolerance = 0", "question 'pairs': 'tolerance' is 0; give a number above"),
    ("tolerance = 0.5", "tolerance = inf", "'tolerance' is inf; it must be a finite number"),
    ("tolerance = 0.5", "", "'tolerance' is missing"),
    ("tolerance = 0.5", "tolerance = 0.5\nitems = []", "question 'pairs': unknown key 'items'"),
    ("[3, 7] }", "[3, 7], m = [1] }", "'given' has lists of different lengths"),
    ("{ n = [3, 7] }", "{ m = [3, 7] }", "'text' does not show {m} of 'given'"),
    ("有 {n} 个", "有几个", "'text_zh' does not show {n} of 'given'"),
    ("[3, 7]", '[3, "7"]', "question 'pairs' [given]: 'n' must be a list of numbers"),
    ("[3, 7]", "[]", "'given' has 0; give 1 to 16"),
    (', "mixture"]', "]", "question 'steps': 'items' has 2; give 3 to 8"),
    ('"mixture"', '"scores"', "'items': two are 'scores'; change one"),
    (', "混合"]', "]", "'items_zh' has 2 items; 'items' has 3"),
    ('"largest"', "largest", "not valid TOML"),
    ('[[question.choices]]\ntext = "1"', '[question.choices]\ntext = "1"', "not valid TOML"),
]


@pytest.mark.parametrize(("old", "new", "said"), FILE_FAULTS, ids=[row[2] for row in FILE_FAULTS])
def test_a_fault_of_the_file_is_named(asking: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(ProblemError) as error:
        edit(asking, old, new)
    assert said in str(error.value)
    assert "first/questions.toml" in str(error.value)


@pytest.mark.parametrize("text", ["question = 1", "question = [1]", "[question]"])
def test_questions_are_tables(asking: Path, text: str) -> None:
    (asking / "lessons" / "first" / "questions.toml").write_text(text)
    with pytest.raises(ProblemError, match="'question' must be tables, each under"):
        load(asking, "first")


def test_answers_come_from_the_room(asking: Path, attention: Problem, sandbox: SandboxPool) -> None:
    """They use values of the lesson, which the text does not show, and the numbers given."""
    lesson = edit(asking, "n**2 * sums[0]", "n**2 + q[0, 0] + np.log(1)")
    values = compute(lesson, {attention.slug: attention}, sandbox)
    answers = {key: value for key, value in values.items() if key.startswith("question ")}
    assert answers == {"question pairs 0": 10.0, "question pairs 1": 50.0}
    assert set(values) - set(answers) == {"sums", "heat"}


ANSWERS = [
    ("n**3 +", "SyntaxError: "),
    ("n / 0", "ZeroDivisionError: division by zero with {'n': 3}; it must be a number"),
    ("m", "NameError: name 'm' is not defined"),
    ("weights", "gives [[0.5, 0.5], [0.5, 0.5]]"),
    ("n > 2", "gives True"),
    ("np.inf", "gives 'inf'"),
    ("np.nan * n", "gives 'nan'"),
    ("10**400", "it must be a number below 1e+15"),
    ("object()", "gives a object; a page shows numbers"),
]


@pytest.mark.parametrize(("answer", "said"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_an_answer_is_a_number(
    asking: Path, attention: Problem, sandbox: SandboxPool, answer: str, said: str
) -> None:
    lesson = edit(asking, "n**2 * sums[0]", answer)
    with pytest.raises(ProblemError) as error:
        compute(lesson, {attention.slug: attention}, sandbox)
    assert f"questions.toml: question 'pairs': 'answer' is '{answer}', which" in str(error.value)
    assert said in str(error.value)


VALUES = {"question pairs 0": 9.0, "question pairs 1": 49.0}
UNSOUND = [
    ("right = true", "right = false", VALUES, "'largest': 0 choices are right; exactly one"),
    ('why = "That', 'right = true\nwhy = "That', VALUES, "'largest': 2 choices are right"),
    ("x", "x", VALUES | {"question pairs 0": 0.25}, "0.25 ± 0.5, which accepts 0, a number"),
    ("x", "x", VALUES | {"question pairs 1": 7.5}, "7.5 ± 0.5, which accepts 7, a number"),
    ("有 {n} 个", "有 {n} 个 49", VALUES, "49 ± 0.5, which accepts 49, a number"),
    ('"scores", "softmax", "mix', '"a", "B", "c', VALUES, "'steps': 'items' is in alphabetical"),
    ('why_zh = "那是行数。"', "", VALUES, "'largest': 'why_zh' of choice 2 is missing"),
    ('text_zh = "1"', "", VALUES, "'largest': 'text_zh' of choice 1 is missing"),
    ('text_zh = "排好步骤的顺序。"', "", VALUES, "'steps': 'text_zh' is missing"),
    ('items_zh = ["分数", "份额", "混合"]', "", VALUES, "'steps': 'items_zh' is missing"),
]


@pytest.mark.parametrize(("old", "new", "values", "said"), UNSOUND, ids=[row[3] for row in UNSOUND])
def test_an_unsound_question_is_named(
    asking: Path, old: str, new: str, values: dict[str, float], said: str
) -> None:
    assert list(unsound(load(asking, "first"), VALUES)) == []
    (finding,) = unsound(edit(asking, old, new), values)
    assert str(finding).startswith(f"{asking / 'lessons' / 'first' / 'questions.toml'}: question ")
    assert said in str(finding)


def test_a_lesson_in_one_language_has_questions_in_one(asking: Path) -> None:
    (asking / "lessons" / "first" / "lesson.zh.md").unlink()
    lesson = edit(asking, 'text_zh = "排好步骤的顺序。"', "")
    assert list(unsound(lesson, VALUES)) == []


def test_the_check_of_a_lesson_has_its_questions(
    asking: Path, attention: Problem, sandbox: SandboxPool
) -> None:
    problems = {attention.slug: attention}
    assert check(load(asking, "first"), problems, load_lessons(asking), sandbox) == []
    lesson = edit(asking, "n**2 * sums[0]", "n * sums[0]")
    findings = check(lesson, problems, load_lessons(asking), sandbox)
    assert len(findings) == 2 and "which accepts 3" in str(findings[0])


NUMBERS = [
    ("n = 4 096, 2^20", [4096, 2, 20]),
    ("e^-2 or −3.5", [-2, -3.5]),
    ("the key (1, 1, 5)", [1, 1, 5]),
    ("x2 and W_3", []),
    ("1/6 of 12 345 678.", [1, 6, 12345678]),
]


@pytest.mark.parametrize(("text", "shown"), NUMBERS)
def test_the_numbers_of_a_text(text: str, shown: list[float]) -> None:
    assert numbers(text) == shown


@pytest.mark.parametrize("lesson", load_lessons(ROOT), ids=lambda each: each.slug)
def test_every_shipped_lesson_asks_eight_questions_or_more(lesson: Lesson) -> None:
    assert len(lesson.questions) >= 8
    assert {QuestionKind.CHOICE, QuestionKind.ORDER} <= {each.kind for each in lesson.questions}


def test_no_two_variants_are_the_same_question() -> None:
    asked: list[str] = [
        each.wording(variant, language)
        for lesson in load_lessons(ROOT)
        for each in lesson.questions
        for variant in range(max(1, len(each.given)))
        for language in ("en", "zh")
    ]
    assert len(asked) == len(set(asked))
    assert not any("{" in text for text in asked)


def test_a_number_given_is_written_as_people_write_it() -> None:
    question = Question("q", QuestionKind.NUMBER, "{n}", "", given=({"n": 4096}, {"n": 0.25}))
    assert (question.wording(0), question.wording(1)) == ("4096", "0.25")
