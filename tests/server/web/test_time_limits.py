"""An assignment with a time limit: nothing before the start, a clock of the server, and what the
end means for work that is sent, waits, or comes later.
"""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from server.models.base import now
from server.models.courses import Assignment, Start
from server.models.submissions import Submission
from tests.server.conftest import GOOD, SLUG, Browser
from tests.server.web.test_courses import TERMS, Class, assigned_on
from tests.server.web.test_extensions import extend, number_of

LIMIT = {"minutes": "60", "late": "cutoff"}


def start(course: Class, browser: Browser, **form: str) -> Any:
    """The button of the problem's page."""
    browser.get(f"/problems/{SLUG}")
    return browser.post(f"/courses/assignments/{course.assignment}/start", {"slug": SLUG, **form})


def started(course: Class, **ago: float) -> None:
    """Everybody started so long ago."""
    with course.teacher.service.database.write() as session:
        opened = now() - timedelta(days=30)
        session.execute(update(Assignment).values(opens_at=opened))
        session.execute(update(Start).values(started_at=now() - timedelta(**ago)))


@pytest.fixture
def course(teacher: Browser, learner: Browser) -> Class:
    """A course with an assignment of sixty minutes, whose late work does not count."""
    found = Class(teacher, **LIMIT)
    found.join(learner)
    return found


def test_nothing_runs_and_nothing_is_shown_before_the_start(
    course: Class, learner: Browser, visitor: Browser
) -> None:
    page = learner.get(f"/problems/{SLUG}").text
    assert "You have 60 minutes from when you start." in page
    assert ("data-editor" in page, "Start now" in page) == (False, True)
    for action in ("submit", "samples"):
        answer = learner.submit(GOOD, action=action)
        assert (answer.status_code, "has a time limit" in answer.text) == (422, True)
    form = {"framework": "numpy", "source": GOOD, "kind": "shrink"}
    assert learner.post(f"/problems/{SLUG}/explorations", form).status_code == 422
    assert learner.get(f"/api/v1/problems/{SLUG}").status_code == 403
    answer = learner.get(f"/problems/{SLUG}/try")
    assert (answer.status_code, answer.location) == (303, f"/problems/{SLUG}")
    with learner.service.database.read() as session:
        assert session.scalars(select(Submission)).all() == []
    assert "data-editor" in visitor.get(f"/problems/{SLUG}").text
    assert "data-editor" in course.teacher.get(f"/problems/{SLUG}").text


def test_a_program_is_refused_before_the_start(course: Class, learner: Browser, app: Any) -> None:
    learner.get("/profile")
    token = re.findall(r"aj_[\w-]+", learner.post("/profile/tokens", {"name": "test"}).text)[0]
    sent = {"problem": SLUG, "framework": "numpy", "source": GOOD}
    headers = {"Authorization": f"Bearer {token}"}
    answer = app.test_client().post("/api/v1/submissions", json=sent, headers=headers)
    assert (answer.status_code, "start it first" in answer.json["detail"]) == (422, True)
    start(course, learner)
    answer = app.test_client().post("/api/v1/submissions", json=sent, headers=headers)
    assert answer.status_code == 202


def test_the_start_leads_to_the_problem_and_happens_once(course: Class, learner: Browser) -> None:
    answer = start(course, learner)
    assert (answer.status_code, answer.location) == (303, f"/problems/{SLUG}")
    started(course, minutes=10, seconds=30)
    again = learner.post(f"/courses/assignments/{course.assignment}/start", {"slug": "elsewhere"})
    assert again.location == f"/courses/{course.course}#a{course.assignment}"
    page = learner.get(f"/problems/{SLUG}").text
    left = int(re.findall(r'role="timer" data-left="(\d+)"', page)[0])
    assert 49 * 60 - 30 < left <= 49.5 * 60
    assert "49 minutes left" in assigned_on(learner)
    assert "data-editor" in page
    number = learner.judged(GOOD)
    assert 'data-left="' in learner.get(f"/submissions/{number}/live").json["assigned"]


def test_after_the_end_it_is_refused_until_it_is_due(course: Class, learner: Browser) -> None:
    start(course, learner)
    learner.judged(GOOD)
    started(course, minutes=61)
    with learner.service.database.write() as session:
        sent = now() - timedelta(minutes=30)
        session.execute(update(Submission).values(submitted_at=sent))
    answer = learner.submit(GOOD)
    assert (answer.status_code, "Your time for" in answer.text) == (422, True)
    assert "# kept" in learner.submit(f"# kept\n{GOOD}").text
    assert learner.submit(GOOD, action="samples").status_code == 303
    assert "over" in assigned_on(learner)
    assert course.row("lea")["total"] == 10.0
    course.move_due(minutes=1)
    assert learner.submit(GOOD).status_code == 303


@pytest.mark.parametrize(("minutes", "shown"), [("1", "%H:%M:%S"), ("60", "%H:%M")])
def test_the_end_of_less_than_an_hour_is_told_with_seconds(
    teacher: Browser, learner: Browser, minutes: str, shown: str
) -> None:
    course = Class(teacher, minutes=minutes, late="cutoff")
    course.join(learner)
    start(course, learner)
    with learner.service.database.read() as session:
        began = session.scalars(select(Start.started_at)).one()
        user = session.scalars(select(Start.user_id)).one()
    clock = began.astimezone(ZoneInfo("Europe/Berlin"))
    end = f"{clock + timedelta(minutes=int(minutes)):%Y-%m-%d {shown}}"
    begin = f"{clock:%Y-%m-%d {shown}}"
    assert f"your time ends at {end} Europe/Berlin" in assigned_on(learner)
    assert f"from {begin} to {end}." in learner.get(f"/courses/{course.course}").text
    page = f"/teach/assignments/{course.assignment}"
    assert f"until {end}<" in teacher.get(page).text
    assert (
        f"Started at {begin}; the time ends at {end}."
        in teacher.get(f"{page}/learners/{user}").text
    )
    started(course, minutes=int(minutes), seconds=1)
    with learner.service.database.read() as session:
        ended = session.scalars(select(Start.started_at)).one() + timedelta(minutes=int(minutes))
    told = f"ended at {ended.astimezone(clock.tzinfo):%Y-%m-%d {shown}}. What"
    assert told in learner.submit(GOOD).text


def test_what_was_sent_in_time_counts_however_late_it_is_judged(
    course: Class, learner: Browser
) -> None:
    start(course, learner)
    learner.judged(GOOD)
    started(course, minutes=61)
    with learner.service.database.write() as session:
        values = {"submitted_at": now() - timedelta(minutes=1, seconds=1), "judged_at": now()}
        session.execute(update(Submission).values(**values))
    cell = course.row("lea")["problems"][0]
    assert (cell["score"], cell["days_late"]) == (10.0, 0)


def test_late_work_loses_percent(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, minutes="60", late="percent", late_percent="20")
    course.join(learner)
    start(course, learner)
    started(course, minutes=61)
    learner.judged(GOOD)
    cell = course.row("lea")["problems"][0]
    assert (cell["score"], cell["days_late"]) == (8.0, 1)


def test_work_from_before_the_start_counts_nothing(teacher: Browser, learner: Browser) -> None:
    learner.judged(GOOD)
    course = Class(teacher, **LIMIT)
    course.join(learner)
    assert course.row("lea")["problems"][0]["attempts"] == 0
    start(course, learner)
    assert course.row("lea")["problems"][0]["attempts"] == 0
    learner.judged(GOOD)
    assert course.row("lea")["total"] == 10.0


def test_attempts_count_from_the_start(teacher: Browser, learner: Browser) -> None:
    learner.judged(GOOD)
    course = Class(teacher, **LIMIT, attempts="1")
    course.join(learner)
    start(course, learner)
    assert learner.submit(GOOD, last="yes").status_code == 303
    assert learner.submit(GOOD, last="yes").status_code == 422


def test_the_limit_ends_when_the_assignment_is_due(course: Class, learner: Browser) -> None:
    course.move_due(minutes=-20, seconds=-5)
    assert "You have 20 minutes from when you start." in learner.get(f"/problems/{SLUG}").text
    assert "less than the full 60 minutes" in learner.get(f"/courses/{course.course}").text
    start(course, learner)
    assert "20 minutes left" in assigned_on(learner)
    course.move_due(minutes=1)
    assert "data-editor" in learner.get(f"/problems/{SLUG}").text


def test_who_never_started_is_late_from_the_due_time(course: Class, learner: Browser) -> None:
    course.move_due(minutes=1)
    learner.judged(GOOD)
    assert course.row("lea")["total"] == 0.0
    assert start(course, learner).status_code == 303
    with learner.service.database.read() as session:
        assert session.scalars(select(Start)).all() == []


def test_results_and_solution_wait_for_the_due_time_of_all(
    teacher: Browser, learner: Browser
) -> None:
    course = Class(teacher, **LIMIT, feedback="after_due")
    course.join(learner)
    start(course, learner)
    number = learner.judged(GOOD)
    started(course, minutes=61)
    assert learner.get(f"/api/v1/submissions/{number}").json["verdict"] is None
    assert "The solution stays closed" in learner.get(f"/problems/{SLUG}/solution").text


def test_an_extension_adds_minutes(course: Class, learner: Browser) -> None:
    path = f"/teach/assignments/{course.assignment}/learners/{number_of(course, 'lea')}"
    course.teacher.get(path)
    form = {"due": "", "minutes": "30", "reason": "needs more"}
    assert course.teacher.post(f"{path}/extension", form).status_code == 303
    assert "+30 min" in learner.get("/").text
    assert "You have 90 minutes from when you start." in learner.get(f"/problems/{SLUG}").text
    start(course, learner)
    started(course, minutes=80)
    learner.judged(GOOD)
    assert course.row("lea")["total"] == 10.0
    assert extend(course, "lea", "", "no more").status_code == 303
    assert course.row("lea")["total"] == 0.0


def test_teachers_see_who_has_started(course: Class, learner: Browser) -> None:
    page = f"/teach/assignments/{course.assignment}"
    assert "60 minutes from the start" in course.teacher.get(page).text
    assert "not started" in course.teacher.get(f"{page}/live").text
    assert course.row("lea")["started_at"] is None
    start(course, learner)
    assert "not started" not in course.teacher.get(f"{page}/live").text
    row = course.row("lea")
    assert row["started_at"] < row["due_at"]
    one = course.teacher.get(f"{page}/learners/{number_of(course, 'lea')}").text
    assert "Started at" in one


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"minutes": "60", "late": "none"}, "With a time limit, late work"),
        ({"minutes": "0", "late": "cutoff"}, "from 1 to 1440"),
        ({"minutes": "1441", "late": "cutoff"}, "from 1 to 1440"),
    ],
    ids=["late work for nothing", "zero", "more than a day"],
)
def test_terms_are_refused(teacher: Browser, terms: dict[str, str], words: str) -> None:
    answer = Class(teacher).assign(**{**TERMS, **terms})
    assert (answer.status_code, words in answer.text) == (422, True)
