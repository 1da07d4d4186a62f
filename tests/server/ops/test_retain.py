"""What is forgotten of old submissions, and what is kept whole.

Scores, verdicts and every count stay as they are.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from grader.model import Verdict
from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, AssignmentProblem, Course, Feedback, Late, Member
from server.models.database import Database
from server.models.submissions import Submission
from server.models.teaching import Rejudge
from server.ops.retention import Forgotten, retain
from server.services import rejudging, statistics
from server.services.courses import scores
from server.web.context import NAME, Service
from tests.server.conftest import BAD, GOOD, SLUG, Browser, MakeApp, user_of


def age(database: Database, numbers: list[int], days: float = 100) -> None:
    """As if they had been sent and judged so long ago."""
    with database.write() as session:
        for number in numbers:
            row = session.get_one(Submission, number)
            row.submitted_at -= timedelta(days=days)
            row.judged_at = row.submitted_at


def set_cpu(database: Database, values: dict[int, float]) -> None:
    from server.services.tries import recount

    with database.write() as session:
        for number, cpu_ms in values.items():
            session.get_one(Submission, number).cpu_ms = cpu_ms
        session.flush()
        recount(
            session, [(row.user_id, row.problem) for row in session.scalars(select(Submission))]
        )


def forgotten(database: Database) -> list[int]:
    with database.read() as session:
        return list(
            session.scalars(
                select(Submission.id).where(Submission.source == "").order_by(Submission.id)
            )
        )


@pytest.fixture
def old(learner: Browser) -> dict[str, int]:
    """A learner's way to the solution, a hundred days ago."""
    numbers = {
        name: learner.judged(source)
        for name, source in (("first", BAD), ("second", BAD), ("best", GOOD), ("fastest", GOOD))
    }
    numbers |= {
        "torch": learner.judged(BAD, framework="torch"),
        "slow": learner.judged(GOOD),
        "latest": learner.judged(BAD),
    }
    database = learner.service.database
    age(database, list(numbers.values()))
    set_cpu(database, {numbers["best"]: 5.0, numbers["fastest"]: 2.0, numbers["slow"]: 9.0})
    return numbers


def test_the_best_the_fastest_and_the_latest_are_kept(
    learner: Browser, old: dict[str, int]
) -> None:
    database = learner.service.database
    assert retain(database, 90) == Forgotten(3, 0)
    assert forgotten(database) == [old["first"], old["second"], old["slow"]]
    assert retain(database, 90) == Forgotten(0, 0)  # again: nothing is left to forget


def test_counting_changes_nothing(learner: Browser, old: dict[str, int]) -> None:
    assert retain(learner.service.database, 90, dry=True) == Forgotten(3, 0)
    assert forgotten(learner.service.database) == []


@pytest.mark.parametrize(("days", "count"), [(99, 3), (101, 0)])
def test_only_what_is_old(learner: Browser, old: dict[str, int], days: int, count: int) -> None:
    assert retain(learner.service.database, days).submissions == count


def test_never_a_score_or_a_verdict(learner: Browser, old: dict[str, int]) -> None:
    database = learner.service.database

    def seen() -> list[Any]:
        kept = "id outcome score max_score cpu_ms digest submitted_at judged_at".split()
        with database.read() as session:
            rows = [
                tuple(getattr(row, name) for name in kept)
                for row in session.scalars(select(Submission).order_by(Submission.id))
            ]
            return [
                rows,
                statistics.rates(session),
                statistics.standings(session, 1),
                statistics.fastest(session, SLUG, None),
            ]

    before = seen()
    retain(database, 90)
    assert seen() == before
    with database.read() as session:
        verdict = Verdict.from_json(session.get_one(Submission, old["first"]).verdict or {})
    assert (str(verdict.verdict), verdict.cases, verdict.diagnosis is not None) == (
        "wrong_answer",
        (),
        True,
    )


def test_the_page_says_so(learner: Browser, old: dict[str, int]) -> None:
    retain(learner.service.database, 90)
    learner.open_hints(old["first"])
    page = learner.get(f"/submissions/{old['first']}").text
    assert "no longer kept" in page
    assert "It is not doubled." in page  # the hint stays
    assert "no longer kept" not in learner.get(f"/submissions/{old['best']}").text
    for path in (
        f"/problems/{SLUG}/submissions",
        f"/problems/{SLUG}/compare?a={old['first']}&b={old['best']}",
        "/progress",
    ):
        assert learner.get(path).status_code == 200


@pytest.mark.parametrize(
    ("archived", "count"),
    [(False, 0), (True, 3)],
    ids=["a class that goes on", "an archived class"],
)
def test_work_for_a_class(
    learner: Browser, old: dict[str, int], archived: bool, count: int
) -> None:
    database = learner.service.database
    with database.write() as session:
        user = session.get_one(Submission, old["first"]).user_id
        course = Course(title="A", code="A", zone="UTC", archived=archived)
        session.add(course)
        session.flush()
        session.add(Member(course_id=course.id, user_id=user))
        terms = {"late": Late.PERCENT, "late_percent": 10, "feedback": Feedback.FULL}
        task = Assignment(
            course_id=course.id,
            title="1",
            opens_at=now() - timedelta(days=200),
            due_at=now() - timedelta(days=50),
            **terms,
        )
        task.problems.append(AssignmentProblem(slug=SLUG, position=0))
        session.add(task)
    with database.read() as session:
        users = scores.learners(session, course.id)
        before = scores.matrix(session, session.get_one(Assignment, task.id), users)
        assert before[0].total == 10
    assert retain(database, 90).submissions == count
    with database.read() as session:
        assert (
            scores.matrix(
                session, session.get_one(Assignment, task.id), scores.learners(session, course.id)
            )[0].total
            == 10
        )


def test_what_is_rejudged_is_kept_until_that_is_closed(make_app: MakeApp) -> None:
    app = make_app()
    service: Service = app.extensions[NAME]
    learner, admin = Browser(app).sign_up("lea"), user_of(app, "ada", Role.ADMIN)
    numbers = [learner.judged(source) for source in (BAD, GOOD, GOOD)]
    age(service.database, numbers)
    service.worker.stop()
    problem = service.bank.get(SLUG)
    assert problem is not None
    with service.database.write() as session:
        from server.services import accounts

        ada = accounts.find_user(session, "ada")
        assert ada is not None
        rejudge = rejudging.begin(session, problem, numbers, "a case was added", ada)
    assert retain(service.database, 90).submissions == 0
    with service.database.write() as session:
        rejudging.discard(session, session.get_one(Rejudge, rejudge.id), ada)
    assert retain(service.database, 90).submissions == 1
    page = admin.get(f"/teach/problems/{SLUG}/rejudge?which=all").text
    # nothing to judge in the first
    assert [f'value="{number}"' in page for number in numbers] == [False, True, True]


def test_command(app: Any, learner: Browser, old: dict[str, int]) -> None:
    runner = app.test_cli_runner()
    assert (
        "3 submissions would be forgotten"
        in runner.invoke(args=["retain", "--older-than", "90", "--dry-run"]).output
    )
    assert (
        "3 submissions are forgotten" in runner.invoke(args=["retain", "--older-than", "90"]).output
    )
    refused = runner.invoke(args=["retain", "--older-than", "0"])
    assert (refused.exit_code, "0 is not in the range 1<=x<=36500" in refused.output) == (2, True)
