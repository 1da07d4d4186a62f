"""The four kinds of jobs behind one interface, for the tests that every kind must pass.

Each job is queued as people queue it, and carried out by the code that its worker runs.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, Protocol

from sqlalchemy import select

from grader.model import Framework, Outcome
from grader.problem import Problem
from server.lti import passback
from server.models.accounts import Role, User
from server.models.base import now
from server.models.courses import Assignment, Course
from server.models.lti import LtiGrade, LtiLine, LtiPlatform
from server.models.submissions import State, Submission
from server.models.teaching import Draft, Rejudge, Rejudgement, VerifyRun
from server.services import accounts, rejudging, rejudging_queue, submission_queue, submissions
from server.services.courses import passback_queue
from server.services.jobs import kinds
from server.services.jobs.kinds import JobKind
from server.services.jobs.leases import Lease
from server.services.problems import files, verification, verification_queue
from server.web.context import Service
from tests.server.conftest import GOOD, SLUG, FakeRoom, fake_judge

PEOPLE = 6
PAUSE_S = 0.01


def fail(*args: Any, **options: Any) -> Any:
    """A judge, a verifier or a platform that does not work."""
    raise OSError("out of order")


class JobQueue(Protocol):
    """A kind of job, as its tests use it."""

    kind: JobKind

    def __init__(self, service: Service, people: Sequence[int], admin: int) -> None: ...

    def add(self, person: int, count: int = 1) -> list[int]:
        """Queues jobs of one person; the person of each, by its number, is `person`."""

    def claim(self, owner: str) -> Lease | None:
        """Claims a job as its worker does."""

    def carry_out(self, lease: Any, works: bool) -> None:
        """Carries a job out as its worker does, successfully or not."""

    def failing(self) -> list[str]:
        """Returns the errors of what people see as failed."""


def problem_of(service: Service) -> Problem:
    problem = service.bank.get(SLUG)
    assert problem is not None
    return problem


class Submissions:
    """Submissions of learners."""

    kind = kinds.SUBMISSIONS

    def __init__(self, service: Service, people: Sequence[int], admin: int) -> None:
        self.service, self.people = service, people
        self.judging: Any = service.worker._judging

    def add(self, person: int, count: int = 1) -> list[int]:
        problem, user = problem_of(self.service), self.people[person]
        with self.service.database.write() as session:
            return [
                submissions.submit(session, user, problem, Framework.NUMPY, GOOD)[0].id
                for _ in range(count)
            ]

    def claim(self, owner: str) -> Lease | None:
        return submission_queue.claim(self.service.database, owner, self.kind.lease_s)

    def carry_out(self, lease: Any, works: bool) -> None:
        self.judging.core = replace(self.judging.core, judge=fake_judge if works else fail)
        self.judging.judge(lease, FakeRoom())

    def failing(self) -> list[str]:
        """What /manage lists."""
        lost = select(Submission).where(Submission.outcome == str(Outcome.JUDGE_ERROR))
        with self.service.database.read() as session:
            return [row.last_error or "" for row in session.scalars(lost)]


class Verifications:
    """Verifications of instructors' drafts."""

    kind = kinds.VERIFICATIONS

    def __init__(self, service: Service, people: Sequence[int], admin: int) -> None:
        self.service, self.count = service, 0
        self.content = files.of_problem(problem_of(service))
        with service.database.write() as session:
            drafts = [Draft(slug=SLUG, owner_id=user, files={}) for user in people]
            session.add_all(drafts)
            session.flush()
            self.drafts = [draft.id for draft in drafts]

    def add(self, person: int, count: int = 1) -> list[int]:
        return [self._add(person) for _ in range(count)]

    def _add(self, person: int) -> int:
        self.count += 1
        statement = self.content["problems/statement.md"] + b"\n" * self.count
        with self.service.database.write() as session:
            draft = session.get_one(Draft, self.drafts[person])
            draft.files = files.keep(session, {**self.content, "problems/statement.md": statement})
            return verification.ask(session, draft, draft.owner_id).id

    def claim(self, owner: str) -> Lease | None:
        return verification_queue.claim(self.service.database, owner)

    def carry_out(self, lease: Any, works: bool) -> None:
        def verify(*args: Any) -> Any:
            return SimpleNamespace(findings=[], warnings=[], matrices=[])

        room: Any = FakeRoom()
        verification_queue.carry_out(
            self.service.database, lease, room, 0, PAUSE_S, verify if works else fail
        )

    def failing(self) -> list[str]:
        """Runs whose page says that the judge failed."""
        failed = select(VerifyRun).where(
            VerifyRun.state == State.DONE, VerifyRun.report.is_(None), VerifyRun.fit.is_(False)
        )
        with self.service.database.read() as session:
            return [row.last_error or "" for row in session.scalars(failed)]


class Rejudgements:
    """Submissions that are judged again; each person has a rejudge of a problem of their own."""

    kind = kinds.REJUDGEMENTS

    def __init__(self, service: Service, people: Sequence[int], admin: int) -> None:
        self.service, self.people, self.admin = service, people, admin
        self.problems = [
            replace(problem_of(service), slug=SLUG if i == 0 else f"{SLUG}_{i}")
            for i in range(len(people))
        ]

    def add(self, person: int, count: int = 1) -> list[int]:
        problem = self.problems[person]
        with self.service.database.write() as session:
            rows = [self._judged(self.people[person], problem) for _ in range(count)]
            session.add_all(rows)
            session.flush()
            admin = session.get_one(User, self.admin)
            rejudge = rejudging.begin(session, problem, [row.id for row in rows], "why", admin)
            session.flush()
            return list(
                session.scalars(
                    select(Rejudgement.id)
                    .where(Rejudgement.rejudge_id == rejudge.id)
                    .order_by(Rejudgement.id)
                )
            )

    def _judged(self, user: int, problem: Problem) -> Submission:
        return Submission(
            user_id=user,
            problem=problem.slug,
            digest=problem.digest,
            framework="numpy",
            source=GOOD,
            state=State.DONE,
            outcome=str(Outcome.ACCEPTED),
            score=1,
            max_score=1,
            judged_at=now(),
        )

    def claim(self, owner: str) -> Lease | None:
        return rejudging_queue.claim(self.service.database, owner)

    def carry_out(self, lease: Any, works: bool) -> None:
        room: Any = FakeRoom()
        judge = fake_judge if works else fail
        rejudging_queue.carry_out(
            self.service.database, lease, self.service.bank, room, judge, 0, PAUSE_S
        )

    def failing(self) -> list[str]:
        """What a rejudge counts as failed."""
        with self.service.database.read() as session:
            failed = [
                rejudging.progress(session, number).failed
                for number in session.scalars(select(Rejudge.id))
            ]
            rows = session.scalars(select(Rejudgement).where(Rejudgement.outcome.is_(None)))
            return [row.last_error or "" for row in rows] if sum(failed) else []


class Grades:
    """Scores for learning platforms; each person has a link of their own."""

    kind = kinds.GRADES

    def __init__(self, service: Service, people: Sequence[int], admin: int) -> None:
        self.service, self.people = service, people
        with service.database.write() as session:
            course = Course(title="A class", code="ABCDEFGH", zone="UTC")
            session.add(course)
            session.flush()
            assignment = Assignment(
                course_id=course.id, title="First", opens_at=now(), due_at=now() + timedelta(1)
            )
            platforms = [self._platform(i) for i in range(len(people))]
            session.add_all([assignment, *platforms])
            session.flush()
            lines = [
                LtiLine(platform_id=row.id, resource_link="x", assignment_id=assignment.id, url="x")
                for row in platforms
            ]
            session.add_all(lines)
            session.flush()
            self.assignment, self.lines = assignment.id, [line.id for line in lines]

    def _platform(self, number: int) -> LtiPlatform:
        urls = dict.fromkeys(("auth_url", "token_url", "jwks_url"), "http://127.0.0.1:9")
        return LtiPlatform(
            name=f"p{number}", issuer=f"i{number}", client_id="c", deployments=[], **urls
        )

    def add(self, person: int, count: int = 1) -> list[int]:
        with self.service.database.write() as session:
            line = session.get_one(LtiLine, self.lines[person])
            for user in self.people[:count]:
                assert passback_queue.queue_score(session, line, None, user, 1.0, 2.0)
            session.flush()
            own = select(LtiGrade.id).where(LtiGrade.line_id == line.id).order_by(LtiGrade.id)
            return list(session.scalars(own))

    def claim(self, owner: str) -> Lease | None:
        return passback.claim(self.service.database, owner)

    def carry_out(self, lease: Any, works: bool) -> None:
        def send(*args: Any) -> None:
            """A platform that accepts everything."""

        passback.carry_out(self.service.database, lease, PAUSE_S, send if works else fail)

    def failing(self) -> list[str]:
        """What the assignment's page lists as not accepted."""
        with self.service.database.read() as session:
            assignment = session.get_one(Assignment, self.assignment)
            return [
                row.last_error or ""
                for status in passback_queue.statuses(session, assignment)
                for row in status.failing
            ]


QUEUES: tuple[type[JobQueue], ...] = (Submissions, Verifications, Rejudgements, Grades)


def people_of(service: Service) -> tuple[list[int], int]:
    """Adds instructors who also learn, and an admin; returns their numbers."""
    with service.database.write() as session:
        people = [
            accounts.add_user(session, f"p{i}", "", Role.INSTRUCTOR, password_hash="none").id
            for i in range(PEOPLE)
        ]
        admin = accounts.add_user(session, "ada", "", Role.ADMIN, password_hash="none").id
    return people, admin
