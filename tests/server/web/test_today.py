"""Today: where one goes on, what is asked once more, and what is shown by topic."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from server.models.base import now
from server.models.practice import PracticeSet
from server.models.reviews import Review
from server.services.reviews import schedule
from server.services.reviews.schedule import Asked, Kind
from tests.server.conftest import BAD, GOOD, SLUG, Browser, write_lesson

LESSON = "a_lesson"
FORM = {"question": "one", "choice": "1"}


@pytest.fixture
def bank(bank: Path) -> Path:
    """The bank, with a lesson before the service reads it."""
    write_lesson(bank, LESSON)
    return bank


def part(page: str, name: str) -> str:
    """The text of a section."""
    found = re.search(rf'<section aria-labelledby="{name}">(.*?)</section>', page, re.DOTALL)
    assert found
    return found[1]


def later(learner: Browser, days: float) -> None:
    """So many days pass: each card is due as much earlier."""
    with learner.service.database.write() as session:
        for row in session.query(Review):
            row.due -= timedelta(days=days)


def make_due(learner: Browser, asked: Asked) -> None:
    with learner.service.database.write() as session:
        schedule.note(session, 1, asked, False)
    later(learner, 2)


def test_one_goes_on_where_one_was(learner: Browser) -> None:
    page = part(learner.get("/today").text, "go-on")
    assert "The next problem" in page and f'href="/problems/{SLUG}"' in page
    assert f'href="/lessons/{LESSON}"' in page
    learner.judged(BAD)
    assert "The problem you were at" in part(learner.get("/today").text, "go-on")
    learner.judged(GOOD)
    page = part(learner.get("/today").text, "go-on")
    assert "The next problem" in page and 'href="/problems/double_again"' in page


def test_a_question_comes_back_without_its_answer(learner: Browser) -> None:
    learner.get(f"/lessons/{LESSON}/questions")
    learner.post(f"/lessons/{LESSON}/questions", FORM)
    assert "Nothing to repeat now" in learner.get("/today").text
    later(learner, 2)
    page = part(learner.get("/today").text, "again")
    assert 'name="question" value="one"' in page and "checked" not in page
    sent = learner.post(f"/lessons/{LESSON}/questions", {**FORM, "choice": "0", "today": "yes"})
    assert sent.location == f"/lessons/{LESSON}/questions?today=yes#one"
    told = learner.get(sent.location).text
    assert "Right." in told and 'href="/today">← Back to today' in told
    assert "Nothing to repeat now" in learner.get("/today").text


def test_two_at_most_and_none_that_is_gone(learner: Browser) -> None:
    problem = learner.service.bank.problems()[0]
    item = {"id": "fill-1", "step": "fill", "parts": ["x"]}
    items = [{**item, "id": f"fill-{number}"} for number in (1, 2, 3)]
    about = {"slug": SLUG, "digest": problem.digest, "framework": "numpy"}
    with learner.service.database.write() as session:
        session.add(PracticeSet(**about, items=items, at=now()))
    make_due(learner, Asked(Kind.QUESTION, "gone", "one"))
    make_due(learner, Asked(Kind.QUESTION, LESSON, "gone"))
    make_due(learner, Asked(Kind.PRACTICE, "gone", "numpy fill-1"))
    make_due(learner, Asked(Kind.PRACTICE, SLUG, "numpy fill-9"))
    make_due(learner, Asked(Kind.PRACTICE, SLUG, "jax fill-1"))
    assert "Nothing to repeat now" in learner.get("/today").text
    for number in (1, 2, 3):
        make_due(learner, Asked(Kind.PRACTICE, SLUG, f"numpy fill-{number}"))
    page = part(learner.get("/today").text, "again")
    found = re.findall(r'href="(/problems/[^"]*)"', page)
    assert [address.partition("?")[0] for address in found] == [
        f"/problems/{SLUG}/practice/fill/{number}" for number in (1, 2)
    ]
    assert all("again=yes" in address for address in found)


def test_what_is_shown_by_topic(learner: Browser) -> None:
    cells = re.findall(r"</span> (\d+ of \d+)</td>", part(learner.get("/today").text, "shown"))
    assert cells == ["0 of 2", "0 of 2"]  # by hand, written; the lesson leads to no problem
    learner.judged(GOOD)
    cells = re.findall(r"</span> (\d+ of \d+)</td>", part(learner.get("/today").text, "shown"))
    assert cells == ["0 of 2", "1 of 2"]


def test_it_is_for_learners_only(app: Any) -> None:
    answer = Browser(app).get("/today")
    assert (answer.status_code, "/sign-in" in answer.location) == (302, True)
