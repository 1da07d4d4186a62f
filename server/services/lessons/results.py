"""What the programs of lessons computed, as the database keeps it."""

from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grader.lessons import Values
from server.models.database import clock
from server.models.lessons import LessonResult

KEPT = timedelta(days=7)  # of another version: one that is being replaced still shows its own
AGAIN_AFTER = timedelta(minutes=5)  # a fault may be the moment's: the machine was too busy


def find(session: Session, slug: str, digest: str) -> LessonResult | None:
    """What is known of a version of a lesson; None until it was computed."""
    return session.get(LessonResult, (slug, digest))


def known(session: Session) -> set[tuple[str, str]]:
    """Which versions were computed, or failed a moment ago."""
    settled = (LessonResult.fault == "") | (LessonResult.computed_at > clock(session) - AGAIN_AFTER)
    rows = session.execute(select(LessonResult.slug, LessonResult.digest).where(settled))
    return {(slug, digest) for slug, digest in rows}


def store(session: Session, slug: str, digest: str, values: Values | None, fault: str) -> None:
    """Keeps a result, and forgets those of old versions."""
    moment = clock(session)
    session.execute(
        delete(LessonResult).where(
            LessonResult.slug == slug,
            (LessonResult.digest == digest) | (LessonResult.computed_at < moment - KEPT),
        )
    )
    computed = None if values is None else dict(values)
    row = LessonResult(slug=slug, digest=digest, computed=computed, fault=fault[:2000])
    row.computed_at = moment
    session.add(row)
