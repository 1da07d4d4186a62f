"""Lessons, questions and steps of practice in an assignment: chosen, done, late, scored, exported."""

import csv
import io
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from grader.model import Framework
from grader.practice import Step
from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, AssignmentItem, Start
from server.models.lessons import Completion, QuestionAnswer
from server.models.practice import PracticeAnswer, PracticeSet
from server.services import accounts
from server.services.practice import answers
from server.services.practice.sending import closed_by, closed_steps
from tests.server.conftest import SLUG, Browser, user_of
from tests.server.web.test_courses import TERMS, Class

LESSON = "numbers"
ITEMS = [f"lesson:{LESSON}", f"questions:{LESSON}", f"practice:{SLUG}:fill"]
QUESTION = """
[[question]]
name = "{name}"
kind = "choice"
text = "Which?"

[[question.choices]]
text = "This."
why = "Yes."
right = true

[[question.choices]]
text = "That."
why = "No."
right = false
"""


@pytest.fixture
def bank(bank: Path) -> Path:
    """The bank of the tests with a lesson of two questions."""
    folder = bank / "lessons" / LESSON
    folder.mkdir(parents=True)
    (folder / "lesson.toml").write_text(
        'title = "Numbers"\ntitle_zh = "数"\norder = 1\nminutes = 5\nsummary = "About them."\n'
    )
    (folder / "lesson.md").write_text("Text.\n")
    (folder / "lesson.py").write_text("def values(problems):\n    return {}\n")
    (folder / "questions.toml").write_text(
        QUESTION.format(name="one") + QUESTION.format(name="two")
    )
    return bank


@pytest.fixture
def course(teacher: Browser, learner: Browser) -> Class:
    """A course whose assignment gives the lesson, its questions, a step of practice and a problem."""
    _make_items(teacher)
    found = Class(teacher, **{"item": ITEMS, f"points-questions-{LESSON}": "4"})  # type: ignore[arg-type]
    found.join(learner)
    return found


def _make_items(browser: Browser) -> None:
    """Practice of the problem as the worker would make it: two items to fill, none to arrange."""
    problem = browser.service.bank.get(SLUG)
    assert problem is not None
    items = [{"id": f"fill-{n}", "step": "fill"} for n in (1, 2)]
    with browser.service.database.write() as session:
        for framework in problem.frameworks:
            session.merge(
                PracticeSet(slug=SLUG, digest=problem.digest, framework=str(framework), items=items)
            )


def solve(browser: Browser, *names: str) -> None:
    """Items of practice as a judged answer records them."""
    problem = browser.service.bank.get(SLUG)
    assert problem is not None
    with browser.service.database.write() as session:
        for name in names:
            result = {"digest": problem.digest, "right": True, "solved": True}
            wanted = {"kind": "practice", "item": name, "answer": ["x"]}
            answers.note(session, _lea(browser), SLUG, Framework.NUMPY, wanted, {"result": result})


def _lea(browser: Browser) -> int:
    with browser.service.database.read() as session:
        user = accounts.find_user(session, "lea")
        assert user is not None
        return user.id


def reply(browser: Browser, name: str, choice: str = "0") -> None:
    """An answer to a question of the lesson; the first choice is right."""
    browser.get(f"/lessons/{LESSON}/questions")
    form = {"question": name, "choice": choice}
    assert browser.post(f"/lessons/{LESSON}/questions", form).status_code == 303


def items_of(course: Class) -> dict[str, Any]:
    return {row["item"]: row for row in course.row("lea")["items"]}


def test_what_is_chosen_is_kept_with_its_points(course: Class, learner: Browser) -> None:
    with learner.service.database.read() as session:
        rows = session.scalars(select(AssignmentItem).order_by(AssignmentItem.position)).all()
        assert [(row.key, row.points) for row in rows] == list(zip(ITEMS, (0, 4, 1), strict=True))
    page = course.teacher.get(f"/teach/assignments/{course.assignment}").text
    assert page.count('checked> <span class="visually-hidden">') == 3
    form = {**TERMS, "item": ITEMS[1:2], "problem": []}
    course.teacher.post(f"/teach/assignments/{course.assignment}/settings", form)
    with learner.service.database.read() as session:
        assert [row.key for row in session.scalars(select(AssignmentItem))] == ITEMS[1:2]
        assert session.get_one(Assignment, course.assignment).whole == 1


def test_refused_terms_keep_what_was_chosen(course: Class) -> None:
    """The questions are taken out, and another step is put in."""
    items = [ITEMS[0], f"practice:{SLUG}:predict"]
    field = f"points-practice-{SLUG}"
    form = {**TERMS, "item": items, field: "many", f"points-lesson-{LESSON}": "3"}
    page = course.teacher.post(f"/teach/assignments/{course.assignment}/settings", form).text
    assert re.findall(r'name="item" value="([^"]*)" checked', page) == items
    assert f'name="{field}" value="many"' in page
    assert f'name="points-lesson-{LESSON}" value="3"' in page


REFUSED = {
    "nothing at all": ({"problem": []}, "Choose something to do"),
    "a lesson that is none": ({"item": ["lesson:nothing"]}, "of the lists"),
    "a step that is none": ({"item": [f"practice:{SLUG}:sleep"]}, "of the lists"),
    "points that are none": (
        {"item": ITEMS[:1], f"points-lesson-{LESSON}": "many"},
        "Points are a number",
    ),
    "a step without items": (
        {"item": [f"practice:{SLUG}:arrange"]},
        "has nothing at the step &#39;arrange&#39;",
    ),
}


@pytest.mark.parametrize(("terms", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(course: Class, terms: dict[str, Any], said: str) -> None:
    answer = course.assign(**terms)
    assert (answer.status_code, said in answer.text) == (422, True)


def test_the_learner_sees_what_is_to_do_and_what_is_done(course: Class, learner: Browser) -> None:
    page = learner.get(f"/courses/{course.course}").text
    for text in (
        f'<a href="/lessons/{LESSON}">Read: Numbers</a>',
        f'<a href="/lessons/{LESSON}/questions">Questions: Numbers</a>',
        f'<a href="/problems/{SLUG}/practice/fill">Practice (fill): ',
    ):
        assert text in page
    reply(learner, "one")
    solve(learner, "fill-1")
    assert learner.get(f"/courses/{course.course}").text.count("1 of 2") == 2
    reply(learner, "two")
    solve(learner, "fill-2")
    learner.get(f"/lessons/{LESSON}/questions")
    assert learner.post(f"/lessons/{LESSON}/read").location == f"/lessons/{LESSON}#end"
    page = learner.get(f"/courses/{course.course}").text
    assert page.count('<span class="state-word">done</span>') == 3
    assert "4 / 4" in page and "1 / 1" in page
    assert course.row("lea")["total"] == 5


def test_what_is_done_stays_done(course: Class, learner: Browser) -> None:
    reply(learner, "one")
    reply(learner, "two", "1")
    assert items_of(course)[ITEMS[1]]["done_at"] is None
    reply(learner, "two")
    first = items_of(course)[ITEMS[1]]
    assert first["score"] == 4
    reply(learner, "two", "1")
    assert items_of(course)[ITEMS[1]] == first


def test_late_work_follows_the_terms(course: Class, learner: Browser) -> None:
    for name in ("one", "two"):
        reply(learner, name)
    course.move_due(hours=30)
    form = {"late": "percent", "late_percent": 20}
    with learner.service.database.write() as session:
        session.execute(update(Assignment).values(form))
    row = items_of(course)[ITEMS[1]]
    assert (row["days_late"], row["score"]) == (2, 2.4)
    with learner.service.database.write() as session:
        session.execute(update(Completion).values(at=now() - timedelta(days=60)))
    row = items_of(course)[ITEMS[1]]  # before it opened
    assert (row["days_late"], row["score"]) == (0, 4)


def test_a_time_limit_ends_what_is_in_time(teacher: Browser, learner: Browser) -> None:
    terms = {"minutes": "60", "late": "cutoff", "item": ITEMS[1:2]}
    course = Class(teacher, **terms)  # type: ignore[arg-type]
    course.join(learner)
    learner.get(f"/courses/{course.course}")
    learner.post(f"/courses/assignments/{course.assignment}/start")
    for name in ("one", "two"):
        reply(learner, name)
    assert items_of(course)[ITEMS[1]]["score"] == 1
    with learner.service.database.write() as session:
        session.execute(update(Start).values(started_at=now() - timedelta(minutes=61)))
    assert items_of(course)[ITEMS[1]]["score"] == 0


def test_a_score_by_hand(course: Class, learner: Browser) -> None:
    page = f"/teach/assignments/{course.assignment}/learners/{_lea(learner)}"
    course.teacher.get(page)
    form = {"slug": ITEMS[2], "score": "0.5", "reason": "on paper"}
    assert course.teacher.post(f"{page}/override", form).status_code == 303
    assert items_of(course)[ITEMS[2]]["override"] == {"score": 0.5, "reason": "on paper"}
    assert "on paper" in learner.get(f"/courses/{course.course}").text
    told = re.findall(r'data-notice="score"><p>(.*?)</p>', learner.get("/").text)
    assert re.search(r'for <a href="/[\w/]+">Practice \(\w+\): Twice the input</a> in', told[0])


def test_the_gradebook_has_a_column_for_each(course: Class, learner: Browser) -> None:
    for name in ("one", "two"):
        reply(learner, name)
    book = f"/teach/assignments/{course.assignment}/gradebook.csv"
    head, row = csv.reader(io.StringIO(course.teacher.get(book).data.decode("utf-8-sig")))
    columns = dict(zip(head, row, strict=True))
    assert head[4:8] == [*ITEMS, SLUG]
    assert [columns[name] for name in (*ITEMS, "total", "of")] == ["", "4.0", "", "4.0", "15.0"]
    matrix = course.teacher.get(f"/teach/assignments/{course.assignment}").text
    assert "Questions: Numbers" in matrix and '<td class="cell-solved">' in matrix


def test_an_assigned_step_is_open_while_the_problem_is_assigned(
    course: Class, learner: Browser
) -> None:
    with learner.service.database.read() as session:
        assert closed_by(session, _lea(learner), SLUG, Step.FILL) == ""
        assert set(closed_steps(session, _lea(learner), SLUG)) == set(Step) - {Step.FILL}
    page = learner.get(f"/problems/{SLUG}/practice").text
    assert "fill/1" in page and "Some steps stay closed until" in page
    closed = f"/problems/{SLUG}/practice/arrange/1"
    assert learner.post(closed, {"place-1": "1"}).status_code == 403


def test_another_course_does_not_open_it(course: Class, learner: Browser, app: Any) -> None:
    other = Class(user_of(app, "tony", Role.INSTRUCTOR), title="Exam")
    other.join(learner)
    with learner.service.database.read() as session:
        assert closed_by(session, _lea(learner), SLUG, Step.FILL) == "Exam"


def test_what_was_right_before_is_recorded_when_it_is_assigned(
    teacher: Browser, learner: Browser
) -> None:
    _make_items(teacher)
    for name in ("one", "two"):
        reply(learner, name)
    solve(learner, "fill-1", "fill-2")
    with learner.service.database.write() as session:
        for row in session.scalars(select(Completion)):
            session.delete(row)
        answered = session.scalars(select(QuestionAnswer.at)).all()
        solved = session.scalars(select(PracticeAnswer.solved_at)).all()
    found = Class(teacher)
    found.join(learner)
    form = {**TERMS, "item": ITEMS}
    found.teacher.post(f"/teach/assignments/{found.assignment}/settings", form)
    rows = items_of(found)
    assert rows[ITEMS[1]]["done_at"] == max(answered).isoformat()
    assert rows[ITEMS[2]]["done_at"] == max(at for at in solved if at).isoformat()


def test_the_last_item_completes_a_step(course: Class, learner: Browser) -> None:
    solve(learner, "fill-1")
    with learner.service.database.read() as session:
        assert session.scalars(select(Completion)).all() == []
    solve(learner, "fill-2")
    with learner.service.database.read() as session:
        row = session.scalars(select(Completion)).one()
        assert (row.kind, row.slug, row.step) == ("practice", SLUG, "fill")
