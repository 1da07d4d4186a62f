"""How an assignment that gives a problem stands for one learner: what its page says of it."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from server.models.base import now
from server.models.courses import Assignment, Late
from server.services.courses.terms import given, hides, used


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment with the attempts of a learner at one of its problems."""

    assignment: Assignment
    used: int
    time_left: timedelta  # below zero once it was due

    @property
    def left(self) -> int | None:
        """Attempts that are left; None where there are as many as one likes."""
        most = self.assignment.attempts
        return None if most is None else max(0, most - self.used)

    @property
    def hidden(self) -> bool:
        """Whether the results are not shown yet."""
        return hides(self.assignment)


def assigned(session: Session, user_id: int, slug: str) -> list[Assigned]:
    """Returns the assignments for which work on a problem counts now, the first due first."""
    moment = now()
    return [
        Assigned(found, used(session, user_id, slug, found), found.due_at - moment)
        for found in sorted(given(session, user_id, slug), key=lambda each: each.due_at)
        if found.due_at > moment or found.late != Late.CUTOFF
    ]
