"""When something is asked again: an answer rates a card, and FSRS says when the card is due.

FSRS is the scheduler of Open Spaced Repetition. It is asked for whole days, without chance, so that
nothing comes back on the day on which it was answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from fsrs import Card, Rating, Scheduler
from fsrs.card import CardDict
from sqlalchemy import select
from sqlalchemy.orm import Session

from server.models.database import clock
from server.models.reviews import Review

SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
LOOKED_AT = 50  # due cards of one person; the longest due come first


class Kind(StrEnum):
    """What is asked again."""

    QUESTION = "question"  # of a lesson
    PRACTICE = "practice"  # an item of a problem


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that can be asked: a question of a lesson, or `FRAMEWORK ITEM` of a problem."""

    kind: Kind
    subject: str
    item: str


def note(session: Session, user_id: int, reviewed: Asked, right: bool) -> None:
    """Rates a card by the first answer of a sitting: right is Good, wrong is Again.

    Until the card is due again, further answers change nothing: to correct oneself at once is no
    review.
    """
    moment = clock(session)
    row = session.get(Review, (user_id, str(reviewed.kind), reviewed.subject, reviewed.item))
    if row is not None and row.due > moment:
        return
    card = Card(card_id=0, due=moment) if row is None else _card(row)
    rated, _ = SCHEDULER.review_card(card, Rating.Good if right else Rating.Again, moment)
    kept = Review(
        user_id=user_id,
        kind=str(reviewed.kind),
        subject=reviewed.subject,
        item=reviewed.item,
        due=rated.due,
        card=dict(rated.to_dict()),
    )
    session.merge(kept)


def _card(row: Review) -> Card:
    return Card.from_dict(cast("CardDict", row.card))


def due(session: Session, user_id: int) -> Sequence[Asked]:
    """Returns what is due, the longest due first."""
    query = (
        select(Review.kind, Review.subject, Review.item)
        .where(Review.user_id == user_id, Review.due <= clock(session))
        .order_by(Review.due)
        .limit(LOOKED_AT)
    )
    return [Asked(Kind(kind), subject, item) for kind, subject, item in session.execute(query)]
