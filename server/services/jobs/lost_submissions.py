"""Submissions that the judge failed on: judging them again, and giving the attempt back."""

from typing import Any, cast

from sqlalchemy import CursorResult, and_, update
from sqlalchemy.orm import Session

from grader.model import Outcome
from server.models.submissions import State, Submission
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.services.jobs.rounds import statements

# The condition on rows that the judge failed on until the end, which the learner may have caused.
# They count as attempts until an operator has looked. A broken problem is no failure of the judge,
# and does not count.
lost = and_(leases.dead_lettered(SUBMISSIONS), Submission.outcome == str(Outcome.JUDGE_ERROR))


def judge_again(session: Session, submission_id: int) -> bool:
    """Queues a submission that ended in judge_error once more; False when it did not."""
    ended = (
        Submission.id == submission_id,
        Submission.state == State.DONE,
        Submission.outcome == str(Outcome.JUDGE_ERROR),
    )
    values: dict[str, Any] = {
        **leases.queued(SUBMISSIONS),
        "failures": 0,
        "not_before": None,
        "outcome": None,
        "verdict": None,
        "judged_at": None,
        "round": statements(SUBMISSIONS).current,
    }
    changed = session.execute(update(Submission).where(*ended).values(values))
    return cast(CursorResult[Any], changed).rowcount == 1


def give_back(session: Session, submission_id: int) -> bool:
    """Gives the attempt of a lost submission back to its learner; False when it was not lost."""
    query = update(Submission).where(Submission.id == submission_id, lost).values(failures=0)
    return cast(CursorResult[Any], session.execute(query)).rowcount == 1
