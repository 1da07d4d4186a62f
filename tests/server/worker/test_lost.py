"""A submission that the judge fails on until the end counts as an attempt until an operator has
looked, and for nothing else.
"""

from datetime import timedelta
from typing import Any

import pytest

from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, AssignmentProblem, Course, Feedback, Late, Member
from server.models.submissions import Submission
from server.services.courses import scores, terms
from server.services.deadlines import deadline
from server.services.jobs.kinds import SUBMISSIONS
from server.web.context import NAME, Service
from tests.server.conftest import GOOD, SLUG, Browser, user_of

LOST, BROKEN = "# our fault\n", "# broken problem\n"


@pytest.fixture
def assignment(app: Any, learner: Browser) -> int:
    """Two attempts at one problem, for the learner."""
    service: Service = app.extensions[NAME]
    with service.database.write() as session:
        course = Course(title="A class", code="ABCDEFGH", zone="UTC")
        session.add(course)
        session.flush()
        session.add(Member(course_id=course.id, user_id=account(learner), teaches=False))
        about = {
            "late": Late.NONE,
            "late_percent": 0,
            "attempts": 2,
            "feedback": Feedback.FULL,
            "title": "First",
        }
        row = Assignment(
            course_id=course.id,
            opens_at=now() - timedelta(hours=1),
            due_at=now() + timedelta(days=1),
            **about,
        )
        row.problems.append(AssignmentProblem(slug=SLUG, position=0, points=10.0))
        session.add(row)
        session.flush()
        return row.id


def account(browser: Browser) -> int:
    from sqlalchemy import select

    from server.models.accounts import User

    with browser.service.database.read() as session:
        return int(session.scalars(select(User.id).where(User.name == "lea")).one())


def used(browser: Browser, assignment: int) -> int:
    with browser.service.database.read() as session:
        own = deadline(session.get_one(Assignment, assignment))
        return terms.used(session, account(browser), SLUG, own)


def failures(browser: Browser, number: int) -> int:
    with browser.service.database.read() as session:
        return session.get_one(Submission, number).failures


def test_lost_ones_use_up_the_attempts(learner: Browser, assignment: int) -> None:
    numbers = [learner.judged(LOST), learner.judged(LOST, last="yes")]
    assert [failures(learner, n) for n in numbers] == [SUBMISSIONS.attempts] * 2
    answer = learner.submit(GOOD)
    assert (answer.status_code, "All 2 attempts" in answer.text) == (422, True)
    assert used(learner, assignment) == 2


def test_a_broken_problem_uses_up_none(learner: Browser, assignment: int) -> None:
    for _ in range(3):
        learner.judged(BROKEN)
    assert used(learner, assignment) == 0
    learner.judged(GOOD)


def test_lost_ones_count_for_no_score_and_no_statistics(learner: Browser, assignment: int) -> None:
    learner.judged(LOST)
    learner.judged(GOOD, last="yes")
    with learner.service.database.read() as session:
        found = session.get_one(Assignment, assignment)
        ((line,),) = [
            line.cells
            for line in scores.matrix(session, found, scores.learners(session, found.course_id))
        ]
    assert (line.attempts, line.score, line.solved) == (1, 10.0, True)
    assert learner.get("/api/v1/me").json["solved"] == [SLUG]
    assert learner.get("/api/v1/problems").json["problems"][0]["acceptance"] == 100


def test_the_operator_judges_again_or_gives_the_attempt_back(
    app: Any, learner: Browser, assignment: int
) -> None:
    first, second = learner.judged(LOST), learner.judged(LOST, last="yes")
    admin = user_of(app, "ada", Role.ADMIN)
    page = admin.get("/manage").text
    assert f"/manage/submissions/{first}/judge-again" in page
    assert f"/manage/submissions/{second}/give-back" in page
    assert admin.post(f"/manage/submissions/{second}/give-back").status_code == 303
    assert used(learner, assignment) == 1
    assert f"/manage/submissions/{second}/give-back" not in admin.get("/manage").text
    assert admin.post(f"/manage/submissions/{second}/give-back").status_code == 404
    with learner.service.database.write() as session:  # whatever broke the judge is mended
        session.get_one(Submission, first).source = GOOD
    assert admin.post(f"/manage/submissions/{first}/judge-again").status_code == 303
    assert (
        learner.get(f"/submissions/{first}/live?wait=20").json["verdict"]["verdict"] == "accepted"
    )
    assert used(learner, assignment) == 1  # it is an attempt like any other, with its score
    log = admin.get("/manage/audit").text
    assert "judge again" in log and "attempt given back" in log


def test_only_an_admin_gives_back(app: Any, learner: Browser) -> None:
    number = learner.judged(LOST)
    for browser in (learner, user_of(app, "ida", Role.INSTRUCTOR)):
        browser.get("/")
        assert browser.post(f"/manage/submissions/{number}/give-back").status_code == 403
    assert failures(learner, number) == SUBMISSIONS.attempts
