"""Scores on their way back to the platforms: noticed from the database, queued in it, sent until
they are taken.

Nothing has to tell this of a verdict: a look compares what a learner's score is with what was last
queued, so a crash between the two, a rejudge or a score set by hand cannot be missed. Scores that
the assignment does not show yet are not sent yet.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from jwcrypto.common import JWException
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.service_connector import ServiceConnector
from requests.exceptions import RequestException
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from grader.sandbox import Sandbox
from server.lti.handshake import SCORE
from server.lti.registry import key_of, registration, web
from server.models.accounts import User
from server.models.courses import Assignment, Member
from server.models.database import Database, clock
from server.models.lti import LtiGrade, LtiLine, LtiPerson, LtiPlatform
from server.models.submissions import State, Submission
from server.services.courses import scores
from server.services.submissions import gone
from server.settings import Settings
from server.web.learners.courses import hides

log = logging.getLogger("server.lti")

OVERLAP = timedelta(seconds=60)  # a verdict's time is taken before it is committed
LEASE_S = 60.0
REST = 20  # times as long as a look takes, before the next one
LONGEST_PAUSE_S = 6 * 3600.0  # after failures, each of which doubles it

Send = Callable[["Parcel", str], None]


@dataclass(frozen=True, slots=True)
class Parcel:
    """A score that this process, and only this process, sends now."""

    id: int
    attempt: int
    failures: int
    score: float
    maximum: float
    subject: str
    url: str
    platform: LtiPlatform


def of_line(line: LtiLine) -> Any:
    """The accounts of learners of the course who came from the line's platform."""
    member = (
        (Member.user_id == LtiPerson.user_id)
        & (Member.course_id == line.assignment.course_id)
        & Member.teaches.is_(False)
    )
    return (
        select(LtiPerson.user_id)
        .join(Member, member)
        .where(LtiPerson.issuer == line.platform.issuer)
    )


def changed(session: Session, line: LtiLine) -> Sequence[int]:
    """Learners whose score may be another than when the line was last looked at."""
    people = of_line(line)
    if line.looked_at is None:
        return session.scalars(people.distinct()).all()
    slugs = [p.slug for p in line.assignment.problems]
    recent = (Submission.problem.in_(slugs), Submission.judged_at > line.looked_at - OVERLAP)
    return session.scalars(
        select(Submission.user_id).where(Submission.user_id.in_(people), *recent).distinct()
    ).all()


def _kept_back(line: LtiLine) -> bool:
    """Nothing is told now; and nothing is taken for seen, so that all of it is told later."""
    return hides(line.assignment) or line.assignment.course.archived


def notice(database: Database) -> int:
    """Queue what differs from what was queued last; how many."""
    with database.read() as session:
        found = [line for line in session.scalars(select(LtiLine)) if not _kept_back(line)]
        lines = [line.id for line in found if line.looked_at is None or changed(session, line)]
    return sum(_notice(database, number) for number in lines)


def _notice(database: Database, line_id: int) -> int:
    with database.write() as session:
        line = session.scalar(
            select(LtiLine)
            .where(LtiLine.id == line_id)
            .with_for_update(skip_locked=True, of=LtiLine)
        )
        if line is None or _kept_back(line):
            return 0
        moment, users = (
            clock(session),
            session.scalars(select(User).where(User.id.in_(changed(session, line)))).all(),
        )
        known = {
            grade.user_id: grade
            for grade in session.scalars(select(LtiGrade).where(LtiGrade.line_id == line.id))
        }
        whole, count = sum(p.points for p in line.assignment.problems), 0
        for row in scores.matrix(session, line.assignment, users) if whole else []:
            if row.user.id in known or any(cell.score is not None for cell in row.cells):
                count += _queue(
                    session, line, known.get(row.user.id), row.user.id, row.total, whole
                )
        line.looked_at = moment
        return count


def _queue(
    session: Session, line: LtiLine, grade: LtiGrade | None, user: int, score: float, maximum: float
) -> bool:
    if grade is None:
        session.add(LtiGrade(line_id=line.id, user_id=user, score=score, maximum=maximum))
        return True
    if (grade.score, grade.maximum) == (score, maximum):
        return False
    grade.score, grade.maximum, grade.state, grade.attempt, grade.not_before = (
        score,
        maximum,
        State.QUEUED,
        grade.attempt + 1,
        None,
    )
    return True


def look_again(session: Session, assignment_id: int) -> None:
    """Something but a verdict has changed scores of an assignment: its terms, or a score set by
    hand.
    """
    session.execute(
        update(LtiLine).where(LtiLine.assignment_id == assignment_id).values(looked_at=None)
    )


# ----------------------------------------------------------------------------------------------------------------------
# sending


def claim(database: Database, owner: str) -> Parcel | None:
    """Take up the score that has waited longest."""
    with database.read() as session:
        if session.scalar(_waiting(clock(session))) is None:
            return None
    with database.write() as session:
        moment = clock(session)
        row = session.scalar(_waiting(moment).with_for_update(skip_locked=True, of=LtiGrade))
        if row is None:
            return None
        row.state, row.attempt, row.lease_owner = State.RUNNING, row.attempt + 1, owner
        row.lease_until = moment + timedelta(seconds=LEASE_S)
        platform = row.line.platform
        whose = select(LtiPerson.subject).where(
            LtiPerson.issuer == platform.issuer, LtiPerson.user_id == row.user_id
        )
        subject = session.scalar(whose.limit(1)) or ""
        return Parcel(
            row.id,
            row.attempt,
            row.failures,
            row.score,
            row.maximum,
            subject,
            row.line.url,
            platform,
        )


def _waiting(moment: datetime) -> Any:
    due = (LtiGrade.state == State.QUEUED) & or_(
        LtiGrade.not_before.is_(None), LtiGrade.not_before <= moment
    )
    lost = (LtiGrade.state == State.RUNNING) & (LtiGrade.lease_until < moment)
    return (
        select(LtiGrade)
        .where(or_(due, lost))
        .order_by(LtiGrade.not_before.asc().nulls_first(), LtiGrade.id)
        .limit(1)
    )


def send(parcel: Parcel, private_pem: str) -> None:
    """Give a score to the platform. Raises when it does not take it."""
    grade = (
        Grade()
        .set_score_given(parcel.score)
        .set_score_maximum(parcel.maximum)
        .set_user_id(parcel.subject)
    )
    grade.set_activity_progress(
        "Completed" if parcel.score >= parcel.maximum else "InProgress"
    ).set_grading_progress("FullyGraded")
    grade.set_timestamp(_stamp())
    with web() as session:
        connector = ServiceConnector(registration(parcel.platform, private_pem), session)
        AssignmentsGradesService(connector, {"scope": [SCORE], "lineitem": parcel.url}).put_grade(
            grade
        )


def _stamp() -> str:
    """Now, in parts of a second: a platform takes a score only when it is later than the last."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def carry_out(database: Database, parcel: Parcel, pause: float, sender: Send = send) -> bool:
    """Send it, and write down how that went; whether it was taken.

    A failure puts it back, however many there were, after a `pause`.
    """
    try:
        sender(parcel, key_of(database))
    except (LtiException, RequestException, JWException, ValueError, KeyError, TypeError) as error:
        _put_back(database, parcel, error, pause)
        return False
    with database.write() as session:
        values = {
            "state": State.DONE,
            "sent_at": clock(session),
            "failures": 0,
            "trouble": None,
            "not_before": None,
        }
        session.execute(update(LtiGrade).where(*_held(parcel)).values(values | _FREE))
    return True


def _put_back(database: Database, parcel: Parcel, error: Exception, pause: float) -> None:
    trouble = _said(error)[:500]
    log.warning(
        "grade",
        extra={
            "fields": {"grade": parcel.id, "platform": parcel.platform.name, "trouble": trouble}
        },
    )
    with database.write() as session:
        later = clock(session) + timedelta(
            seconds=min(pause * 2 ** min(parcel.failures, 30), LONGEST_PAUSE_S)
        )
        again = {
            "state": State.QUEUED,
            "failures": parcel.failures + 1,
            "trouble": trouble,
            "not_before": later,
        }
        session.execute(update(LtiGrade).where(*_held(parcel)).values(again | _FREE))
        # the others of this platform would wait for it one after another, and those of other
        # platforms behind them
        if _is_down(error):
            lines = select(LtiLine.id).where(LtiLine.platform_id == parcel.platform.id)
            new = (
                LtiGrade.line_id.in_(lines),
                LtiGrade.state == State.QUEUED,
                LtiGrade.not_before.is_(None),
            )
            session.execute(update(LtiGrade).where(*new).values(not_before=later))


def _said(error: Exception) -> str:
    """For the instructor, who may have to tell the platform's operator."""
    if isinstance(error, LtiServiceException):
        return (
            f"{error.response.url} answered {error.response.status_code}:"
            f" {error.response.text[:200]}"
        )
    return (
        f"no answer: {error}"
        if isinstance(error, RequestException)
        else f"{type(error).__name__}: {error}"
    )


def _is_down(error: Exception) -> bool:
    """Whether the platform answers nobody, and not only about this learner."""
    return isinstance(error, RequestException) or (
        isinstance(error, LtiServiceException) and error.response.status_code >= 500
    )


_FREE: dict[str, Any] = {"lease_owner": None, "lease_until": None}


def _held(parcel: Parcel) -> list[Any]:
    """Whoever changed or took the row since has counted `attempt` up: then this sending no longer
    says anything.
    """
    return [LtiGrade.id == parcel.id, LtiGrade.attempt == parcel.attempt]


def send_now(session: Session, assignment_id: int) -> None:
    """Do not wait for the next try."""
    lines = select(LtiLine.id).where(LtiLine.assignment_id == assignment_id)
    session.execute(
        update(LtiGrade)
        .where(LtiGrade.line_id.in_(lines), LtiGrade.state == State.QUEUED)
        .values(not_before=None)
    )


# ----------------------------------------------------------------------------------------------------------------------
# telling


@dataclass(frozen=True, slots=True)
class Post:
    """How the scores of an assignment stand with one platform."""

    platform: str
    taken: int
    waiting: int
    failing: tuple[LtiGrade, ...]


def posts(session: Session, assignment: Assignment) -> list[Post]:
    """One for each link of a platform to the assignment."""
    found = []
    for line in session.scalars(
        select(LtiLine).where(LtiLine.assignment_id == assignment.id).order_by(LtiLine.id)
    ):
        grades = session.scalars(
            select(LtiGrade).where(LtiGrade.line_id == line.id).order_by(LtiGrade.id)
        ).all()
        failing = tuple(grade for grade in grades if grade.failures)
        taken = sum(grade.state == State.DONE for grade in grades)
        found.append(Post(line.platform.name, taken, len(grades) - taken - len(failing), failing))
    return found


class PostOffice:
    """The chore of `server.worker.threads.Worker` that looks and sends."""

    name = "grades"

    def __init__(self, settings: Settings, database: Database, sender: Send = send) -> None:
        self.settings, self.database, self.sender = settings, database, sender
        self._next_look = 0.0

    def begin(self, owner: str) -> None:
        """Take back what processes of this host that are gone were sending."""
        with self.database.read() as session:
            held = session.scalars(
                select(LtiGrade.lease_owner).where(LtiGrade.state == State.RUNNING).distinct()
            ).all()
        dead = gone([other for other in held if other], owner)
        if dead:
            with self.database.write() as session:
                lost = (LtiGrade.state == State.RUNNING, LtiGrade.lease_owner.in_(dead))
                session.execute(
                    update(LtiGrade).where(*lost).values({"state": State.QUEUED, **_FREE})
                )

    def step(self, room: Sandbox, owner: str) -> bool:
        """Look when it is time; send one score. False when there is none to send."""
        began = time.monotonic()
        if began >= self._next_look:
            notice(self.database)
            ended = time.monotonic()
            self._next_look = ended + max(self.settings.sweep, REST * (ended - began))
        parcel = claim(self.database, owner)
        if parcel is None:
            return False
        carry_out(self.database, parcel, self.settings.retry, self.sender)
        return True

    def wait(self, seconds: float) -> None:
        """Scores need not be quick: a look every few seconds is enough."""
        time.sleep(min(seconds, self.settings.sweep))

    def wake(self) -> None:
        """Nothing to end: `wait` is short."""
