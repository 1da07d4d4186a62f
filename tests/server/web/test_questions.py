"""The page of a lesson's questions: what is asked, told and kept, in both languages."""

import re
from pathlib import Path
from typing import Any

import pytest

from server.models.accounts import Role
from server.models.lessons import QuestionAnswer
from server.services.lessons import results, shelf
from tests.grader.test_lessons import PROGRAM, TOML
from tests.grader.test_questions import QUESTIONS
from tests.server.conftest import Browser, MakeApp, user_of

SHORT = "# A lesson\n\nThe sums are [[value: sums]].\n"
PAGE = "/lessons/first/questions"
VALUES = {"question pairs 0": 9.0, "question pairs 1": 49.0, "sums": 1.0}
NUMBER = {"3": "9,0", "7": "49"}  # the answer, by the number in the text
ORDER = {"question": "steps", "place-0": "1", "place-1": "2", "place-2": "3"}


@pytest.fixture
def site(bank: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An application with a lesson that has a question of each kind, and is computed."""
    monkeypatch.setattr(shelf, "CHECK_S", 0.0)
    folder = bank / "lessons" / "first"
    folder.mkdir(parents=True)
    toml = re.sub(r"uses = .*", "", TOML)
    for name, text in (("toml", toml), ("py", PROGRAM), ("md", SHORT), ("zh.md", SHORT)):
        (folder / f"lesson.{name}").write_text(text)
    (folder / "questions.toml").write_text(QUESTIONS)
    app = make_app(work=False)
    compute(app)
    return app


def compute(app: Any) -> None:
    """Stores what the worker would have computed."""
    service = Browser(app).service
    lesson = service.lessons.get("first")
    assert lesson is not None
    with service.database.write() as session:
        results.store(session, "first", service.lessons.digest(lesson), VALUES, "")


def part(text: str, name: str) -> str:
    """The HTML of one question."""
    return text.split(f'<li id="{name}">')[1].split("</form>")[0]


def number_for(browser: Browser) -> str:
    """The right number for the variant that the page asks."""
    found = re.search(r"A text has (\d) words", browser.get(PAGE).text)
    assert found is not None
    return NUMBER[found[1]]


def kept(app: Any) -> list[tuple[str, str, bool]]:
    with Browser(app).service.database.read() as session:
        rows = session.query(QuestionAnswer).order_by(QuestionAnswer.question)
        return [(row.question, row.answer, row.correct) for row in rows]


def test_the_page_asks_without_telling(site: Any) -> None:
    text = Browser(site).get(PAGE).text
    assert "0 of 3 right" in text and "your answers are not kept" in text
    assert text.count('type="radio"') == 2 and text.count('name="place-') == 3
    assert "They are shares." not in text and 'class="told' not in text


def test_a_learner_is_told_and_it_is_kept(site: Any) -> None:
    lea = user_of(site, "lea", Role.LEARNER)
    number = number_for(lea)
    answer = lea.post(PAGE, {"question": "largest", "choice": "1"})
    assert (answer.status_code, answer.location) == (303, f"{PAGE}#largest")
    text = lea.get(PAGE).text
    assert "That is the number of rows." in part(text, "largest")
    assert 'value="1" required checked' in part(text, "largest")
    assert "0 of 3 right" in text
    lea.post(PAGE, {"question": "largest", "choice": "0"})
    lea.post(PAGE, {"question": "pairs", "number": number})
    lea.post(PAGE, ORDER)
    text = lea.get(PAGE).text
    assert "They are shares." in part(text, "largest") and "3 of 3 right" in text
    assert re.search(r"[37]\*\*2 \* sums\[0\] = (9|49)<", part(text, "pairs"))
    assert kept(site) == [
        ("largest", "0", True),
        ("pairs", number, True),
        ("steps", "1 2 3", True),
    ]
    assert "3 of 3 questions right" in lea.get("/lessons").text
    assert "3 of 3 questions right" in lea.get("/lessons/first").text
    bob = user_of(site, "bob", Role.LEARNER)
    assert "0 of 3 questions right" in bob.get("/lessons").text
    assert "0 of 3 right" in bob.get(PAGE).text


def test_a_wrong_answer_takes_the_place_of_a_right_one(site: Any) -> None:
    lea = user_of(site, "lea", Role.LEARNER)
    lea.get(PAGE)
    lea.post(PAGE, ORDER)
    lea.post(PAGE, {**ORDER, "place-1": "3", "place-2": "2"})
    text = lea.get(PAGE).text
    assert "1 item stands in its place." in part(text, "steps")
    assert kept(site) == [("steps", "1 3 2", False)]
    assert "0 of 3 questions right" in lea.get("/lessons").text


def test_a_question_that_is_gone_does_not_count(site: Any, bank: Path) -> None:
    lea = user_of(site, "lea", Role.LEARNER)
    lea.get(PAGE)
    lea.post(PAGE, ORDER)
    assert "1 of 3 questions right" in lea.get("/lessons").text
    file = bank / "lessons" / "first" / "questions.toml"
    file.write_text(QUESTIONS[: QUESTIONS.rindex("[[question]]")])
    assert "0 of 2 questions right" in lea.get("/lessons").text


def test_a_visitor_is_told_and_nothing_is_kept(site: Any) -> None:
    """The page holds the answers given before, and sends them along."""
    browser = Browser(site)
    browser.get(PAGE)
    first = browser.post(PAGE, {"question": "largest", "choice": "0"})
    assert first.status_code == 200 and "1 of 3 right" in first.text
    held = dict(re.findall(r'name="(kept\.\w+)" value="([^"]*)"', part(first.text, "steps")))
    assert held == {"kept.largest": "0"}
    second = browser.post(PAGE, {**ORDER, **held})
    assert "2 of 3 right" in second.text and "They are shares." in second.text
    assert kept(site) == []
    assert "0 of 3 right" in browser.get(PAGE).text
    assert "3 questions" in browser.get("/lessons").text


REFUSED = [
    ({"question": "largest"}, 422, "Choose one of the answers."),
    ({"question": "pairs", "number": "nine"}, 422, "Write one number"),
    ({**ORDER, "place-1": "1"}, 422, "each place once"),
    ({"question": "no"}, 404, "The lesson has no such question."),
    ({}, 404, "The lesson has no such question."),
]


@pytest.mark.parametrize(("form", "status", "said"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_is_no_answer_is_refused(
    site: Any, form: dict[str, str], status: int, said: str
) -> None:
    for browser in (Browser(site), user_of(site, "lea", Role.LEARNER)):
        browser.get(PAGE)
        answer = browser.post(PAGE, form)
        assert answer.status_code == status and said in answer.text
    assert kept(site) == []


def test_a_number_waits_until_the_lesson_is_computed(site: Any, bank: Path) -> None:
    lea = user_of(site, "lea", Role.LEARNER)
    number = number_for(lea)
    (bank / "lessons" / "first" / "lesson.py").write_text(PROGRAM + "\nmore = 1\n")
    answer = lea.post(PAGE, {"question": "pairs", "number": number})
    assert answer.status_code == 422 and "is being computed" in answer.text
    assert lea.post(PAGE, ORDER).status_code == 303
    compute(site)
    assert lea.post(PAGE, {"question": "pairs", "number": number}).status_code == 303
    assert [name for name, _, correct in kept(site) if correct] == ["pairs", "steps"]


def test_the_page_is_chinese(site: Any) -> None:
    browser = Browser(site)
    browser.get("/language/zh")
    browser.get(PAGE)
    text = browser.post(PAGE, {"question": "largest", "choice": "1"}).text
    assert "一行的和是多少？" in text and "那是行数。" in text and "混合" in text
    unsorted = browser.post(PAGE, {**ORDER, "place-1": "3", "place-2": "2"}).text
    assert "有 1 项位置正确。" in part(unsorted, "steps")
    assert "3 道题" in browser.get("/lessons").text
    main = text.split("<main")[1].split("</main>")[0]
    for words in ("Which sum", "Right", "Not right", "Check", "Your number", "right", "place 1"):
        assert words not in re.sub(r"<[^>]*>", "", main)


def test_a_lesson_without_questions_has_no_such_page(site: Any, bank: Path) -> None:
    (bank / "lessons" / "first" / "questions.toml").unlink()
    browser = Browser(site)
    assert browser.get(PAGE).status_code == 404
    assert PAGE not in browser.get("/lessons").text
    assert PAGE not in browser.get("/lessons/first").text
    assert browser.get("/lessons/nothing/questions").status_code == 404
