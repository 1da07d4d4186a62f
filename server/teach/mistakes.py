"""Which known mistakes a class makes, from the diagnoses: `14 of 30 forgot the scale`."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server import stats
from server.db import Submission
from server.teach.course_tables import Assignment

MISTAKE = Submission.verdict[("diagnosis", "mistake")].as_string()


@dataclass(frozen=True, slots=True)
class Bar:
    """A mistake, and how many learners made it at least once."""

    mistake: str
    hint: str
    learners: int
    of: int  # learners who sent anything

    @property
    def percent(self) -> int:
        """For the length of the bar."""
        return round(100 * self.learners / self.of) if self.of else 0


def _of(assignment: Assignment, slug: str, users: Sequence[int]) -> list[object]:
    own = [Submission.problem == slug, Submission.user_id.in_(users), Submission.submitted_at >= assignment.opens_at]
    return [*own, *stats.counted]


def histogram(session: Session, assignment: Assignment, slug: str, users: Sequence[int], hints: dict[str, str]) -> list[Bar]:
    """The mistakes of one problem, the most frequent first."""
    where = _of(assignment, slug, users)
    count = func.count(func.distinct(Submission.user_id))
    total = session.scalar(select(count).where(*where)) or 0  # type: ignore[arg-type]
    rows = session.execute(select(MISTAKE, count).where(*where, MISTAKE.is_not(None)).group_by(MISTAKE))  # type: ignore[arg-type]
    bars = [Bar(name, hints.get(name, ""), number, total) for name, number in rows]
    return sorted(bars, key=lambda bar: (-bar.learners, bar.mistake))


def examples(session: Session, assignment: Assignment, slug: str, users: Sequence[int], mistake: str) -> Sequence[Submission]:
    """The submissions behind a bar, the latest first."""
    where = _of(assignment, slug, users)
    query = select(Submission).where(*where, mistake == MISTAKE).order_by(Submission.id.desc()).limit(200)  # type: ignore[arg-type]
    return session.scalars(query).all()
