"""A course in a click: the shipped syllabus, what a syllabus may say, and the course made from it."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from grader.errors import ProblemError
from grader.lessons import load_lessons
from grader.practice import items
from grader.problem import load
from grader.sandbox import SandboxPool
from server.models.courses import Assignment, Course
from server.models.practice import PracticeSet
from server.services.syllabi.loading import faults, read, read_all
from tests.conftest import ROOT, SLUGS
from tests.server.conftest import SLUG, Browser, write_lesson, write_syllabus

SHIPPED, UNREADABLE = read_all(ROOT)
FOUR_WEEKS = next(each for each in SHIPPED if each.name == "attention_in_four_weeks")
STEPS = sorted({pair for each in SHIPPED for week in each.weeks for pair in week.practice})
PLAN = {"syllabus": "short", "title": "Spring", "zone": "Europe/Berlin", "start": "2026-03-23"}


def test_every_shipped_syllabus_can_be_used() -> None:
    problems, lessons = [load(ROOT, slug) for slug in SLUGS], load_lessons(ROOT)
    assert UNREADABLE == {}
    assert {each.name: faults(each, lessons, problems, SHIPPED) for each in SHIPPED} == {
        each.name: [] for each in SHIPPED
    }
    for syllabus in SHIPPED:
        assert syllabus.title_zh and all(week.title_zh for week in syllabus.weeks)
        given = {slug for week in syllabus.weeks for slug in week.problems}
        assert {slug for week in syllabus.weeks for slug, _ in week.practice} <= given


def test_four_weeks_are_four() -> None:
    assert len(FOUR_WEEKS.weeks) == 4


@pytest.mark.slow
@pytest.mark.parametrize("slug", sorted({slug for slug, _ in STEPS}))
def test_every_step_has_items(slug: str, sandbox: SandboxPool) -> None:
    problem = load(ROOT, slug)
    made = {item.step for item in items(problem, problem.frameworks[0], sandbox)}
    assert {step for name, step in STEPS if name == slug} <= made


TEXT = 'title = "T"\n[[week]]\ntitle = "One"\n'
REFUSED = {
    "no week": ('title = "T"\n', "'week' is missing"),
    "an empty week": (TEXT, "are all empty"),
    "a key that nobody knows": (f'{TEXT}lesson = ["softmax"]\n', "did you mean 'lessons'"),
    "a step that is none": (f'{TEXT}practice = ["softmax:sleep"]\n', "PROBLEM:STEP"),
    "an entry twice": (f'{TEXT}problems = ["a", "a"]\n', "one entry twice"),
    "no title": ('title = ""\n[[week]]\ntitle = "One"\nproblems = ["a"]\n', "1 to 100 characters"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_no_syllabus_says(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text)
    with pytest.raises(ProblemError, match=re.escape(said)) as refused:
        read(file)
    assert str(file) in str(refused.value)


MISPLACED = {
    "a problem before what it requires": (
        'problems = ["causal_linear_attention"]',
        "'causal_linear_attention' requires 'causal_mask'",
    ),
    "a lesson before what it requires": ('lessons = ["softmax"]', "requires 'words_as_vectors'"),
    "a problem that is not there": ('problems = ["nothing"]', "the bank has no 'nothing'"),
    "practice of none": ('practice = ["nothing:fill"]', "the bank has no 'nothing'"),
    "a lesson that is not there": ('lessons = ["nothing"]', "the bank has no 'nothing'"),
}


@pytest.mark.parametrize(("line", "said"), MISPLACED.values(), ids=MISPLACED.keys())
def test_what_a_bank_cannot_give(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "odd.toml").write_text(f"{TEXT}{line}\n")
    known = ("causal_linear_attention", "causal_mask", "linear_attention")
    problems = [load(ROOT, slug) for slug in known]
    found = faults(read(tmp_path / "odd.toml"), load_lessons(ROOT), problems)
    assert any(said in fault for fault in found)


def test_what_another_syllabus_gives_comes_before(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text(f'{TEXT}problems = ["causal_mask"]\n')
    asks = 'problems = ["linear_attention", "causal_linear_attention"]\n'
    (tmp_path / "second.toml").write_text(f'follows = "first"\n{TEXT}{asks}')
    first, second = read(tmp_path / "first.toml"), read(tmp_path / "second.toml")
    known = ("causal_linear_attention", "causal_mask", "linear_attention")
    problems = [load(ROOT, slug) for slug in known]
    alone = faults(second, [], problems)
    after = faults(second, [], problems, [first])
    assert "the bank has no syllabus 'first'" in alone
    assert any("requires 'causal_mask'" in fault for fault in alone)
    assert not any("causal_mask" in fault for fault in after)


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
    "no date": ({"start": "soon"}, "is no date"),
    "the end of time": ({"start": "9999-12-31"}, "is no date"),
    "no zone": ({"zone": "Mars"}, "is no time zone"),
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


def test_a_fault_is_shown_and_nothing_can_be_made(teacher: Browser, bank: Path) -> None:
    (bank / "courses" / "odd.toml").write_text(f'{TEXT}problems = ["nothing"]\n')
    (bank / "courses" / "worse.toml").write_text("title = 1\n")
    page = teacher.get("/teach/courses").text
    assert "This syllabus cannot be used with this bank:" in page
    assert "the bank has no &#39;nothing&#39;" in page
    assert "worse: " in page
    assert made(teacher, syllabus="odd").status_code == 422
