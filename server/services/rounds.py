"""Whose turn it is: the order in which submissions are judged, as a number that each gets when it
is sent.

A learner's first gets the turn that is being served, each further one the turn after. The smallest
turn is next, and of one turn what was sent first. So whoever sends ten is served once a round like
everybody else, and a newcomer waits for what is left of one round. An index holds the order: to
find who is next costs the same however many wait.
"""

from typing import cast

from sqlalchemy import (
    String,
    Table,
    bindparam,
    exists,
    func,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from server.models.database import later
from server.models.submissions import State, Submission

# Written once: building a statement costs more than running it. What a partial index is about
# stands in the text: of a value that is sent beside it the database learns too late that the index
# would do.
_DONE, _QUEUED, _RUNNING = (
    literal_column(f"'{state}'", String) for state in (State.DONE, State.QUEUED, State.RUNNING)
)
_table = cast(Table, Submission.__table__)
_waiting, _running, _latest = (_table.alias(name) for name in ("waiting", "running", "latest"))

_in_room = select(func.max(_running.c.turn)).where(_running.c.state == _RUNNING).scalar_subquery()
_first = (
    select(_waiting.c.turn)
    .where(_waiting.c.state == _QUEUED)
    .order_by(_waiting.c.turn, _waiting.c.id)
    .limit(1)
    .scalar_subquery()
)
SERVED = func.coalesce(_in_room, _first, 0)
"""The turn that is being served now."""

_own = (
    select(_latest.c.turn, _latest.c.state)
    .where(_latest.c.user_id == bindparam("b_user"))
    .order_by(_latest.c.id.desc())
    .limit(1)
    .subquery()
)
_further = select(_own.c.turn + 1).where(_own.c.state != _DONE).scalar_subquery()
_either = union_all(select(SERVED.label("turn")), select(_further.label("turn"))).subquery()
TURN = select(func.max(_either.c.turn))
"""The turn of what the learner `b_user` sends now."""

TAKEN = "id attempt user_id problem framework source trial failures submitted_at"
_IN_TURN = (
    select(_waiting.c.id)
    .where(
        _waiting.c.state == _QUEUED,
        or_(_waiting.c.not_before.is_(None), _waiting.c.not_before <= later(0)),
        ~exists().where(_running.c.user_id == _waiting.c.user_id, _running.c.state == _RUNNING),
    )
    .order_by(_waiting.c.turn, _waiting.c.id)
)
DUE = _IN_TURN.limit(100)
ANY = _IN_TURN.order_by(None).limit(1)
_next = _IN_TURN.limit(1).with_for_update(skip_locked=True, key_share=True).scalar_subquery()
TAKE = (
    update(_table)
    .where(_table.c.id == _next)
    .values(
        state=State.RUNNING,
        attempt=_table.c.attempt + 1,
        lease_owner=bindparam("owner"),
        lease_until=later(bindparam("lease")),
        progress=None,
    )
    .returning(
        *(
            _table.c[name]
            for name in (
                "id attempt user_id problem framework source trial failures submitted_at".split()
            )
        ),
        later(0).label("moment"),
    )
)
"""Takes up the submission that is next. When two workers take up two of one learner at once, the table refuses one of them."""
