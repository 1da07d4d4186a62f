"""A course in a click: what the page shows of a syllabus, and the course made from it."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from server.models.courses import Assignment, Course
from server.models.practice import PracticeSet
from tests.server.conftest import SLUG, Browser, write_lesson, write_syllabus

PLAN = {"syllabus": "short", "title": "Spring", "zone": "Europe/Berlin", "start": "2026-03-23"}


@pytest.fixture
def bank(bank: Path) -> Path:
    """The bank of the tests with a lesson and a syllabus."""
    write_lesson(bank, "asked")
    write_syllabus(bank, "short", "asked")
    return bank


def made(teacher: Browser, **form: str) -> Any:
    teacher.get("/teach/courses")
    return teacher.post("/teach/courses/syllabus", {**PLAN, **form})


def test_the_page_shows_what_is_made(teacher: Browser, learner: Browser) -> None:
    page = teacher.get("/teach/courses").text
    for text in ("A course from a syllabus: A short course", "A lesson", "Twice the input (fill)"):
        assert text in page
    assert "A short course" not in learner.get("/courses").text


def test_an_assignment_for_each_week(teacher: Browser) -> None:
    answer = made(teacher)
    assert answer.status_code == 303
    with teacher.service.database.read() as session:
        course = session.scalars(select(Course)).one()
        assert (course.title, course.zone) == ("Spring", "Europe/Berlin")
        first, second = session.scalars(select(Assignment).order_by(Assignment.due_at))
        assert (first.title, second.title) == ("The lesson", "The problem")
        assert [item.key for item in first.items] == [
            "lesson:asked",
            "questions:asked",
            f"practice:{SLUG}:fill",
        ]
        assert [(p.slug, p.points) for p in second.problems] == [(SLUG, 10.0)]
        times = [f"{at:%Y-%m-%d %H:%M}" for at in (first.opens_at, first.due_at, second.opens_at)]
        # the clock goes forward on 29 March: 23:59 is then 21:59 in UTC
        assert times == ["2026-03-23 05:00", "2026-03-29 21:59", "2026-03-30 04:00"]
        assert session.scalars(select(PracticeSet.slug)).all()
    page = teacher.get(answer.location).text
    assert "The course is made." in page and "The lesson" in page


def test_what_is_made_can_be_changed(teacher: Browser) -> None:
    made(teacher)
    with teacher.service.database.read() as session:
        first = session.scalars(select(Assignment).order_by(Assignment.due_at)).all()[0]
    page = f"/teach/assignments/{first.id}"
    form = {"title": "Another", "opens": "2026-03-24T08:00", "due": "2026-04-01T08:00"}
    form |= {"late": "none", "feedback": "full", "item": "questions:asked"}
    teacher.get(page)
    assert teacher.post(f"{page}/settings", form).status_code == 303
    with teacher.service.database.read() as session:
        row = session.get_one(Assignment, first.id)
        assert (row.title, [item.key for item in row.items]) == ("Another", ["questions:asked"])


REFUSED_PLANS = {
    "no such syllabus": ({"syllabus": "long"}, "There is no syllabus"),
    "no date": ({"start": "soon"}, "is not a valid date"),
    "the end of time": ({"start": "9999-12-31"}, "is not a valid date"),
    "no zone": ({"zone": "Mars"}, "is not a valid time zone"),
}


@pytest.mark.parametrize(("form", "said"), REFUSED_PLANS.values(), ids=REFUSED_PLANS.keys())
def test_refused(teacher: Browser, form: dict[str, str], said: str) -> None:
    answer = made(teacher, **form)
    assert (answer.status_code, said in answer.text) == (422, True)
    with teacher.service.database.read() as session:
        assert session.scalars(select(Course)).all() == []


def test_in_chinese(teacher: Browser) -> None:
    teacher.client.set_cookie("language", "zh")
    made(teacher, title="")
    with teacher.service.database.read() as session:
        assert session.scalars(select(Course.title)).one() == "短课程"
        assert "题目" in session.scalars(select(Assignment.title)).all()


TEXT = 'title = "T"\n[[week]]\ntitle = "One"\n'


def test_a_fault_is_shown_and_nothing_can_be_made(teacher: Browser, bank: Path) -> None:
    (bank / "courses" / "odd.toml").write_text(f'{TEXT}problems = ["nothing"]\n')
    (bank / "courses" / "worse.toml").write_text("title = 1\n")
    page = teacher.get("/teach/courses").text
    assert "This syllabus cannot be used with this bank:" in page
    assert "&#39;nothing&#39;, which the bank does not have" in page
    assert "worse: " in page
    assert made(teacher, syllabus="odd").status_code == 422
    teacher.client.set_cookie("language", "zh")
    assert "题库中没有" in teacher.get("/teach/courses").text
