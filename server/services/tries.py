"""Totals of learners and problems, kept as verdicts are stored, so that no page counts submissions
(docs/design/million-submissions.md).

They follow from the submissions, and change in the same transaction: `count` adds a verdict that
has just been stored, `recount` computes a learner's totals for a problem from all submissions.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any, cast

from sqlalchemy import Select, Table, case, func, select, update
from sqlalchemy.orm import Session

from grader.model import Outcome
from server.models.database import insert_into
from server.models.submissions import CANCELLED, ProblemCount, Rank, State, Submission, Tries

ACCEPTED = str(Outcome.ACCEPTED)
# of a problem's count, by learner: verdicts that are stored at the same moment seldom wait for each
# other
PARTS = 16

counted = (
    Submission.state == State.DONE,
    Submission.samples_only.is_(False),
    Submission.outcome.not_in((str(Outcome.JUDGE_ERROR), CANCELLED)),
)
_tries, _counts = cast(Table, Tries.__table__), cast(Table, ProblemCount.__table__)
_good = Submission.outcome == ACCEPTED
summary = (  # of a learner's submissions to a problem
    func.count().label("judged"),
    func.coalesce(func.sum(case((_good, 1), else_=0)), 0).label("accepted"),
    func.min(case((_good, Submission.submitted_at))).label("solved_at"),
    func.min(case((_good, Submission.cpu_ms))).label("cpu_ms"),
)


def count(
    session: Session, user_id: int, slug: str, outcome: str, sent: datetime, cpu_ms: float
) -> None:
    """Adds a submission that has its first verdict."""
    if outcome == str(Outcome.JUDGE_ERROR):
        return
    good = int(outcome == ACCEPTED)
    values = {
        "user_id": user_id,
        "problem": slug,
        "accepted": good,
        "solved_at": sent if good else None,
        "cpu_ms": cpu_ms if good else None,
    }
    solved_at = session.execute(_one_more(_dialect(session), bool(good)), values).scalar_one()
    if good and solved_at == sent:  # the first that was accepted
        _rank(session, user_id)
    _add(session, slug, user_id % PARTS, 1, good)


@cache  # building a statement costs more than running it
def _one_more(dialect: str, good: bool) -> Any:
    """Builds the statement that adds a submission; it returns when the problem was solved."""
    line = insert_into(dialect, _tries).values(judged=1)
    sums = {"judged": _tries.c.judged + 1, "accepted": _tries.c.accepted + line.excluded.accepted}
    least = (
        {name: _lesser(_tries.c[name], line.excluded[name]) for name in ("solved_at", "cpu_ms")}
        if good
        else {}
    )
    return line.on_conflict_do_update(
        index_elements=["user_id", "problem"], set_=sums | least
    ).returning(_tries.c.solved_at)


def _lesser(old: Any, new: Any) -> Any:
    return case((old.is_(None) | (new < old), new), else_=old)


def recount(session: Session, pairs: Iterable[tuple[int, str]]) -> None:
    """Updates the totals of these learners and problems.

    Locks rows in one order, so two calls never wait for each other.
    """
    changes: dict[tuple[str, int], tuple[int, int]] = {}
    solvers = set()
    for user_id, slug in sorted(set(pairs)):
        judged, accepted, solved = _recount_one(session, user_id, slug)
        part = (slug, user_id % PARTS)
        before = changes.get(part, (0, 0))
        changes[part] = (before[0] + judged, before[1] + accepted)
        solvers |= {user_id} if solved else set()
    for user_id in sorted(solvers):
        _rank(session, user_id)
    for (slug, number), (judged, accepted) in sorted(changes.items()):
        if judged or accepted:
            _add(session, slug, number, judged, accepted)


def _recount_one(session: Session, user_id: int, slug: str) -> tuple[int, int, bool]:
    """Returns the changes of judged and accepted, and whether the time of solving changed."""
    line = insert_into(_dialect(session), _tries).values(
        user_id=user_id, problem=slug, judged=0, accepted=0
    )
    # changes nothing, but locks the row
    locked = line.on_conflict_do_update(
        index_elements=["user_id", "problem"], set_={"judged": Tries.judged}
    )
    old = session.execute(locked.returning(Tries.judged, Tries.accepted, Tries.solved_at)).one()
    # after the lock: it sees what the last holder has committed
    new = session.execute(_summary_of(user_id, slug)).one()
    session.execute(
        update(Tries).where(Tries.user_id == user_id, Tries.problem == slug).values(new._asdict())
    )
    return new.judged - old.judged, new.accepted - old.accepted, new.solved_at != old.solved_at


def _summary_of(user_id: int, slug: str) -> Select[Any]:
    return select(*summary).where(
        Submission.user_id == user_id, Submission.problem == slug, *counted
    )


def _rank(session: Session, user_id: int) -> None:
    line = insert_into(_dialect(session), Rank).values(user_id=user_id, solved=0)
    session.execute(
        line.on_conflict_do_update(index_elements=["user_id"], set_={"solved": Rank.solved})
    )
    mine = (Tries.user_id == user_id, Tries.solved_at.is_not(None))
    solved, last = session.execute(
        select(func.count(), func.max(Tries.solved_at)).where(*mine)
    ).one()
    session.execute(update(Rank).where(Rank.user_id == user_id).values(solved=solved, last_at=last))


def _add(session: Session, slug: str, part: int, judged: int, accepted: int) -> None:
    session.execute(
        _add_to(_dialect(session)),
        {"problem": slug, "part": part, "judged": judged, "accepted": accepted},
    )


@cache
def _add_to(dialect: str) -> Any:
    line = insert_into(dialect, _counts)
    sums = {name: _counts.c[name] + line.excluded[name] for name in ("judged", "accepted")}
    return line.on_conflict_do_update(index_elements=["problem", "part"], set_=sums)


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name
