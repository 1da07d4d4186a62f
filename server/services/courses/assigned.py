"""How an assignment that gives a problem stands for one learner: what its page says of it."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from server.models.base import now
from server.models.courses import Assignment, Late
from server.services.courses.terms import given, used
from server.services.deadlines import Deadline, hides


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment with the attempts of a learner at one of its problems."""

    assignment: Assignment
    own: Deadline
    used: int
    time_left: timedelta  # below zero once it has ended

    @property
    def left(self) -> int | None:
        """Attempts that are left; None where there are as many as one likes."""
        most = self.assignment.attempts
        return None if most is None else max(0, most - self.used)

    @property
    def hidden(self) -> bool:
        """Whether the results are not shown yet."""
        return hides(self.assignment, self.own)


def assigned(session: Session, user_id: int, slug: str) -> list[Assigned]:
    """Returns the assignments for which work on a problem counts now, the first due first."""
    moment = now()
    return [
        Assigned(assignment, own, used(session, user_id, slug, own), own.ends_at - moment)
        for assignment, own in sorted(
            given(session, user_id, slug), key=lambda pair: pair[1].ends_at
        )
        if own.due_at > moment or assignment.late != Late.CUTOFF
    ]
