"""Scores go back to the platform: when they change, as often as it takes, and not before the
learner may know them.
"""

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from jwcrypto.jwk import JWK
from sqlalchemy import select, update

from server.lti import passback
from server.models.base import now
from server.models.courses import Assignment, AssignmentItem, Extension
from server.models.lti import LtiGrade, LtiLine, LtiPerson
from server.models.submissions import State, Submission
from server.models.teaching import Rejudge, Rejudgement
from server.services.courses import passback_queue
from server.services.jobs import leases
from server.services.jobs.kinds import GRADES
from server.services.jobs.owners import process_name
from server.services.reviews import completions
from tests.server.conftest import BAD, GOOD, SLUG, Browser, MakeApp
from tests.server.lti.platform import Platform, key, running
from tests.server.lti.test_lti import course_of, launch, register


@pytest.fixture(scope="module")
def signing() -> JWK:
    return key()


class Campus:
    """A platform with a course, its teacher and a learner, who opened the assignment's link."""

    def __init__(self, app: Any, platform: Platform) -> None:
        self.app, self.platform, self.database = app, platform, app.extensions["judge"].database
        self.teacher, self.course, self.assignment = course_of(app, platform)
        self.learner = self.comes()

    def comes(self, **person: Any) -> Browser:
        browser = Browser(self.app)
        assert (
            launch(browser, self.platform, assignment=self.assignment, **person).status_code == 200
        )
        browser.get("/")
        return browser

    def taken(self, count: int) -> list[tuple[str, float, float]]:
        """Wait for so many scores: (who, given, of)."""
        until(lambda: len(self.platform.scores) >= count)
        return [(s["userId"], s["scoreGiven"], s["scoreMaximum"]) for s in self.platform.scores]

    def page(self) -> str:
        return re.sub(
            r"\s+",
            " ",
            re.sub(r"<[^>]+>", " ", self.teacher.get(f"/teach/assignments/{self.assignment}").text),
        )

    def grades(self) -> list[LtiGrade]:
        with self.database.read() as session:
            return list(session.scalars(select(LtiGrade).order_by(LtiGrade.id)))


def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def looked(campus: Campus) -> None:
    """Wait until the course has been looked at twice from now on."""
    for _ in range(2):
        with campus.database.write() as session:
            session.execute(update(LtiLine).values(looked_at=None))
        until(lambda: not unseen(campus))


def unseen(campus: Campus) -> bool:
    with campus.database.read() as session:
        return (
            session.scalar(select(LtiLine.id).where(LtiLine.looked_at.is_(None)).limit(1))
            is not None
        )


@pytest.fixture
def campus(app: Any, signing: JWK) -> Iterator[Campus]:
    with running(signing) as platform:
        register(app, platform)
        yield Campus(app, platform)


def test_a_score_goes_back_when_it_changes(campus: Campus) -> None:
    campus.learner.judged(BAD)
    assert campus.taken(1) == [("u1", 0.0, 10.0)]
    campus.learner.judged(GOOD)
    assert campus.taken(2)[1:] == [("u1", 10.0, 10.0)]
    campus.learner.judged(BAD)  # no better
    looked(campus)
    first, second = campus.platform.scores
    assert (first["activityProgress"], second["activityProgress"], second["gradingProgress"]) == (
        "InProgress",
        "Completed",
        "FullyGraded",
    )
    assert (second["path"], first["timestamp"] < second["timestamp"]) == ("/lines/1/scores", True)
    until(lambda: "Scores in Campus ✓ 1 taken" in campus.page())


def test_a_lesson_counts_when_it_is_read(campus: Campus) -> None:
    item = {"kind": "lesson", "slug": "asked", "position": 0, "points": 5.0}
    with campus.database.write() as session:
        session.add(AssignmentItem(assignment_id=campus.assignment, **item))
    looked(campus)
    assert campus.grades() == []
    with campus.database.write() as session:
        user = session.scalars(select(LtiPerson.user_id).where(LtiPerson.subject == "u1")).one()
        completions.read(session, user, "asked")
    assert campus.taken(1) == [("u1", 5.0, 15.0)]


def test_who_has_sent_nothing_has_no_score(campus: Campus) -> None:
    campus.comes(sub="u2", name="Leo")
    campus.learner.judged(GOOD)
    assert campus.taken(1) == [("u1", 10.0, 10.0)]
    looked(campus)
    assert len(campus.grades()) == 1


def test_a_platform_that_is_down_loses_nothing(campus: Campus) -> None:
    campus.platform.down = 503
    campus.learner.judged(GOOD)
    until(lambda: (found := campus.grades()) and found[0].failures >= 2)
    page = campus.page()
    assert (
        "! 1 not taken yet" in page,
        "Lea.Learner 10 / 10" in page,
        "503" in page,
        "Send them now" in page,
    ) == (True,) * 4
    with campus.database.write() as session:  # the next try is far away
        session.execute(
            update(LtiGrade)
            .where(LtiGrade.state == State.QUEUED)
            .values(not_before=now() + timedelta(hours=6))
        )
    until(lambda: campus.grades()[0].state == State.QUEUED)
    campus.platform.down = 0
    assert (
        campus.teacher.post(f"/teach/assignments/{campus.assignment}/grades/again").status_code
        == 303
    )
    assert campus.taken(1) == [("u1", 10.0, 10.0)]
    until(lambda: campus.grades()[0].state == State.DONE)
    assert (
        campus.grades()[0].failures,
        campus.grades()[0].last_error,
        "not taken" in campus.page(),
    ) == (0, None, False)


@pytest.mark.parametrize(("status", "said"), [(401, "401"), (404, "404"), (500, "500")])
def test_whatever_it_answers_it_is_tried_again(campus: Campus, status: int, said: str) -> None:
    campus.platform.down = status
    campus.learner.judged(GOOD)
    until(lambda: (found := campus.grades()) and found[0].failures >= 3)
    assert said in (campus.grades()[0].last_error or "")
    campus.platform.down = 0
    assert campus.taken(1) == [("u1", 10.0, 10.0)]


def test_a_platform_that_is_gone(campus: Campus) -> None:
    with campus.database.write() as session:
        session.execute(update(LtiLine).values(url="http://127.0.0.1:9/lines/1"))
    campus.learner.judged(GOOD)
    until(lambda: (found := campus.grades()) and found[0].failures >= 1)
    page = campus.page()
    assert ("http://127.0.0.1:9/lines/1" in page, "cannot be reached from here" in page) == (
        True,
        True,
    )


def queued(campus: Campus, *scores: float) -> None:
    """Scores on their way, each of a learner of their own, while nobody works."""
    for i, score in enumerate(scores):
        launch(
            Browser(campus.app),
            campus.platform,
            assignment=campus.assignment,
            sub=f"q{i}",
            name=f"Q{i}",
        )
        with campus.database.write() as session:
            line = session.scalars(select(LtiLine)).one()
            user = session.scalars(
                select(LtiPerson.user_id).where(LtiPerson.subject == f"q{i}")
            ).one()
            session.add(LtiGrade(line_id=line.id, user_id=user, score=score, maximum=10.0))


@pytest.mark.parametrize(
    ("status", "waiting"), [(503, 2), (422, 0)], ids=["of_everybody", "of_one_learner"]
)
def test_a_failure_of_everybody_holds_the_platforms_others_back(
    campus: Campus, status: int, waiting: int
) -> None:
    campus.app.extensions["judge"].worker.stop()
    queued(campus, 1.0, 2.0, 3.0)
    campus.platform.down = status
    claimed = passback.claim(campus.database, "me:1:x")
    assert claimed is not None
    assert not passback.carry_out(campus.database, claimed, 10.0)
    assert [grade.not_before is not None for grade in campus.grades()[1:]].count(True) == waiting
    assert (passback.claim(campus.database, "me:1:x") is None) == bool(waiting)


def test_an_archived_course_tells_nothing_until_it_is_taken_out(campus: Campus) -> None:
    path = f"/teach/courses/{campus.course}"
    campus.teacher.get(path)
    campus.teacher.post(f"{path}/settings", {"action": "archive"})
    campus.learner.judged(GOOD)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert campus.grades() == []
        time.sleep(0.05)
    campus.teacher.post(f"{path}/settings", {"action": "reopen"})
    assert campus.taken(1) == [("u1", 10.0, 10.0)]


def test_pauses_grow(campus: Campus) -> None:
    campus.app.extensions["judge"].worker.stop()
    campus.learner.submit(GOOD)
    with campus.database.write() as session:
        line = session.scalars(select(LtiLine.id)).one()
        user = session.scalars(passback_queue.of_line(session.get_one(LtiLine, line))).one()
        session.add(LtiGrade(line_id=line, user_id=user, score=1.0, maximum=2.0))
    campus.platform.down = 503
    pauses = []
    for _ in range(4):
        claimed = passback.claim(campus.database, "me:1:x")
        assert claimed is not None
        began = now()
        assert not passback.carry_out(campus.database, claimed, 10.0)
        (row,) = campus.grades()
        assert row.not_before is not None
        pauses.append(round((row.not_before - began).total_seconds(), -1))
        with campus.database.write() as session:
            passback_queue.send_now(session, campus.assignment)
    assert pauses == [10, 20, 40, 80]


def test_nothing_is_told_before_the_learner_may_know_it(campus: Campus) -> None:
    with campus.database.write() as session:
        session.execute(update(Assignment).values(feedback="after_due"))
    campus.learner.judged(GOOD)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert campus.grades() == []
        time.sleep(0.05)
    with campus.database.write() as session:
        session.execute(update(Assignment).values(due_at=now() - timedelta(seconds=1)))
    assert campus.taken(1) == [("u1", 10.0, 10.0)]


def test_a_score_set_by_hand_and_taken_back(campus: Campus) -> None:
    campus.learner.judged(GOOD)
    campus.taken(1)
    user = campus.grades()[0].user_id
    path = f"/teach/assignments/{campus.assignment}/learners/{user}"
    campus.teacher.get(path)
    for i, score in enumerate(("7.5", ""), 2):
        assert (
            campus.teacher.post(
                f"{path}/override", {"slug": SLUG, "score": score, "reason": "ill"}
            ).status_code
            == 303
        )
        assert campus.taken(i)[-1] == ("u1", 7.5 if score else 10.0, 10.0)


def test_an_extension_keeps_a_hidden_score_here_until_it_ends(campus: Campus) -> None:
    with campus.database.write() as session:
        session.execute(update(Assignment).values(feedback="after_due"))
        user = session.scalars(select(LtiPerson.user_id).where(LtiPerson.subject == "u1")).one()
    path = f"/teach/assignments/{campus.assignment}/learners/{user}"
    campus.teacher.get(path)
    form = {"due": "2099-12-01T10:00", "reason": "ill"}
    assert campus.teacher.post(f"{path}/extension", form).status_code == 303
    campus.learner.judged(GOOD)
    with campus.database.write() as session:
        session.execute(update(Assignment).values(due_at=now() - timedelta(seconds=1)))
        session.execute(update(Submission).values(judged_at=now() - timedelta(hours=1)))
    looked(campus)
    assert campus.platform.scores == []
    with campus.database.write() as session:
        session.execute(update(Extension).values(due_at=now()))
    assert campus.taken(1) == [("u1", 10.0, 10.0)]


def test_other_points(campus: Campus) -> None:
    campus.learner.judged(GOOD)
    campus.taken(1)
    terms = {
        "title": "Week 1",
        "opens": "2026-01-01T08:00",
        "due": "2099-01-08T18:00",
        "late": "none",
        "feedback": "full",
    }
    campus.teacher.post(
        f"/teach/assignments/{campus.assignment}/settings",
        {**terms, "problem": SLUG, f"points-{SLUG}": "4"},
    )
    assert campus.taken(2)[-1] == ("u1", 4.0, 4.0)


def test_a_rejudge_that_lowers_a_score(campus: Campus) -> None:
    number = campus.learner.judged(GOOD)
    campus.taken(1)
    from server.models.accounts import User
    from server.models.submissions import Submission
    from server.services import rejudging

    with campus.database.write() as session:
        row, user = (
            session.get_one(Submission, number),
            session.scalars(select(User).where(User.role == "instructor")).one(),
        )
        rejudge = Rejudge(problem=SLUG, digest="d" * 64, reason="stricter", asked_by=user.id)
        session.add(rejudge)
        session.flush()
        old = {
            "judged_at": row.judged_at,
            "old_outcome": row.outcome,
            "old_score": row.score,
            "old_max": row.max_score,
        }
        new = {
            "outcome": "wrong_answer",
            "score": 1,
            "max_score": 2,
            "verdict": row.verdict,
            "cpu_ms": 1.0,
            "state": State.DONE,
        }
        session.add(Rejudgement(rejudge_id=rejudge.id, submission_id=number, **old, **new))
        session.flush()
        assert rejudging.apply(session, rejudge, user) == 1
    assert campus.taken(2)[-1] == ("u1", 5.0, 10.0)


def test_what_a_dead_worker_was_sending_is_sent(campus: Campus, make_app: MakeApp) -> None:
    campus.app.extensions["judge"].worker.stop()
    with campus.database.write() as session:
        line = session.scalars(select(LtiLine)).one()
        user = session.scalars(passback_queue.of_line(line)).one()
        until_then = {"state": State.RUNNING, "lease_until": now() + timedelta(hours=1)}
        owner = process_name("x").replace(f":{__import__('os').getpid()}:", ":999999999:")
        session.add(
            LtiGrade(
                line_id=line.id,
                user_id=user,
                score=3.0,
                maximum=10.0,
                lease_owner=owner,
                **until_then,
            )
        )
    assert leases.reclaim(campus.database, GRADES, process_name("y")) == 1
    assert [grade.state for grade in campus.grades()] == [State.QUEUED]
    claimed = passback.claim(campus.database, process_name("y"))
    assert claimed is not None
    assert passback.carry_out(campus.database, claimed, 1.0)
    assert campus.taken(1)[0] == ("u1", 3.0, 10.0)


def test_a_score_that_changes_while_it_is_sent_is_sent_again(campus: Campus) -> None:
    campus.app.extensions["judge"].worker.stop()
    with campus.database.write() as session:
        line = session.scalars(select(LtiLine)).one()
        session.add(
            LtiGrade(
                line_id=line.id,
                user_id=session.scalars(passback_queue.of_line(line)).one(),
                score=3.0,
                maximum=10.0,
            )
        )

    def better_meanwhile(claimed: passback.Claim, pem: str) -> None:
        with campus.database.write() as session:
            (grade,) = session.scalars(select(LtiGrade))
            passback_queue.queue_score(session, grade.line, grade, grade.user_id, 8.0, 10.0)

    claimed = passback.claim(campus.database, "me:1:x")
    assert claimed is not None
    assert not passback.carry_out(campus.database, claimed, 1.0, better_meanwhile)
    assert [(grade.score, grade.state) for grade in campus.grades()] == [(8.0, State.QUEUED)]


def test_another_teacher_sends_nothing(campus: Campus) -> None:
    other = Browser(campus.app)
    launch(other, campus.platform, sub="t9", name="Theo", role="Instructor", context="context-9")
    other.get("/teach")
    assert other.post(f"/teach/assignments/{campus.assignment}/grades/again").status_code == 404
