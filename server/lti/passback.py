"""Grade passback: the worker that sends queued scores to learning platforms."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.service_connector import ServiceConnector
from requests.exceptions import RequestException, SSLError, Timeout
from sqlalchemy import Row, select, update
from sqlalchemy.orm import Session

from grader.sandbox import Sandbox
from server.lti.claims import SCORE
from server.lti.registry import key_of, registration, web
from server.messages import Message
from server.models.database import Database, clock
from server.models.lti import LtiGrade, LtiLine, LtiPerson, LtiPlatform
from server.models.submissions import State
from server.services.courses.passback_queue import queue_changes
from server.services.jobs import execution, leases
from server.services.jobs.kinds import GRADES
from server.services.jobs.leases import Lease
from server.settings import Settings

REST = 20  # a check for changes takes at most one part in so many of the thread's time


@dataclass(frozen=True, slots=True)
class Claim(Lease):
    """A score that this process sends now."""

    score: float
    maximum: float
    subject: str
    url: str
    platform: LtiPlatform


Send = Callable[[Claim, str], None]


def claim(database: Database, owner: str) -> Claim | None:
    """Claims the next score: the links of platforms are served in turn."""
    return leases.claim(database, GRADES, owner, _read)


def _read(session: Session, lease: Lease, row: Row[Any]) -> Claim:
    line = session.get_one(LtiLine, row.line_id)
    subject = select(LtiPerson.subject).where(
        LtiPerson.issuer == line.platform.issuer, LtiPerson.user_id == row.user_id
    )
    return Claim(
        kind=lease.kind,
        id=lease.id,
        attempt=lease.attempt,
        failures=lease.failures,
        score=row.score,
        maximum=row.maximum,
        subject=session.scalar(subject.limit(1)) or "",
        url=line.url,
        platform=line.platform,
    )


def send(claimed: Claim, private_pem: str) -> None:
    """Sends a score to its platform. Raises when the platform does not accept it."""
    grade = (
        Grade()
        .set_score_given(claimed.score)
        .set_score_maximum(claimed.maximum)
        .set_user_id(claimed.subject)
    )
    grade.set_activity_progress(
        "Completed" if claimed.score >= claimed.maximum else "InProgress"
    ).set_grading_progress("FullyGraded")
    # A platform accepts a score only when it is later than the last: hence the microseconds.
    grade.set_timestamp(datetime.now(UTC).isoformat(timespec="microseconds"))
    with web() as session:
        connector = ServiceConnector(registration(claimed.platform, private_pem), session)
        service = AssignmentsGradesService(connector, {"scope": [SCORE], "lineitem": claimed.url})
        service.put_grade(grade)


def carry_out(database: Database, claimed: Claim, pause: float, sender: Send = send) -> bool:
    """Sends a score and stores how that ended; False when it was not accepted, or has changed.

    After a failure it is sent again, however many there were, at first after `pause` seconds.
    """

    def work() -> dict[str, Any]:
        try:
            sender(claimed, key_of(database))
        except Exception as error:
            if _is_down(error):
                _delay_others(database, claimed, pause)
            raise
        return {"failures": 0}

    return execution.carry_out(database, claimed, work, pause, describe=_describe)


def _describe(error: Exception) -> str:
    """Returns what the instructor may have to tell an operator. A sentence of ours has no
    parameters: the page translates what is stored, and says the address itself.
    """
    if isinstance(error, LtiServiceException):
        response = error.response
        return f"{response.url} answered {response.status_code}: {response.text[:200]}"
    if isinstance(error, SSLError):
        return Message(
            "The certificate of the platform cannot be verified: it has expired, is for another"
            " address, or was signed by an authority that this service does not know. Ask the"
            " platform's operator to renew it, or this service's to name the authority in"
            " REQUESTS_CA_BUNDLE."
        )
    if isinstance(error, Timeout):
        return Message(
            "The platform does not answer in time. Ask its operator whether it is overloaded."
        )
    if isinstance(error, RequestException):
        return Message(
            "The platform cannot be reached from here. Ask its operator whether it runs, and this"
            " service's whether it may reach that address."
        )
    return execution.describe(error)


def _is_down(error: Exception) -> bool:
    """Checks whether the platform fails for everybody, and not only for this learner."""
    return isinstance(error, RequestException) or (
        isinstance(error, LtiServiceException) and error.response.status_code >= 500
    )


def _delay_others(database: Database, claimed: Claim, pause: float) -> None:
    """Delays the other scores of a platform that is down.

    They would wait for its timeout one after another, and those of other platforms behind them.
    """
    lines = select(LtiLine.id).where(LtiLine.platform_id == claimed.platform.id)
    new = (
        LtiGrade.line_id.in_(lines),
        LtiGrade.state == State.QUEUED,
        LtiGrade.not_before.is_(None),
    )
    with database.write() as session:
        due = clock(session) + timedelta(seconds=leases.delay(claimed, pause))
        session.execute(update(LtiGrade).where(*new).values(not_before=due))


class GradePassback:
    """The chore of `server.worker.threads.Worker` that looks for changed scores and sends them."""

    name = "grades"

    def __init__(self, settings: Settings, database: Database, sender: Send = send) -> None:
        self.settings, self.database, self.sender = settings, database, sender
        self._next_check = 0.0
        self._hints = threading.Semaphore(0)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Checks for changes when it is time, and sends one score; False when none is queued."""
        began = time.monotonic()
        if began >= self._next_check:
            queue_changes(self.database)
            ended = time.monotonic()
            self._next_check = ended + max(self.settings.sweep, REST * (ended - began))
        claimed = claim(self.database, owner)
        if claimed is None:
            return False
        carry_out(self.database, claimed, self.settings.retry, self.sender)
        return True

    def wait(self, seconds: float) -> None:
        """Sleeps at most so long. Scores need not be quick: a check every few seconds is enough."""
        self._hints.acquire(timeout=min(seconds, self.settings.sweep))

    def wake(self) -> None:
        """Ends a sleep, so that the process ends at once."""
        self._hints.release()
