"""Reports what is known of a job while it runs, for the page that shows it: the cases of a
submission, the text of a model.
"""

import contextlib
import time
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from grader.findings.sentences import findings_json
from grader.model import CaseResult
from server.models.database import Database
from server.services import submission_queue
from server.services.waking.hub import Hub

PROGRESS_S = 0.15  # cases of a slow submission are shown this often


class LeaseLostError(Exception):
    """The run was cancelled, or another worker has it: judging it further serves nobody."""


class Progress:
    """Called with each case as it is judged; stores the cases of slow submissions only."""

    def __init__(self, database: Database, hub: Hub, claimed: submission_queue.Claim) -> None:
        self.database, self.hub, self.claimed = database, hub, claimed
        self.cases: list[CaseResult] = []
        self.written = time.monotonic()

    def __call__(self, result: CaseResult) -> None:
        """Adds a case that is judged. Raises `LeaseLostError` when nobody wants the verdict."""
        self.cases.append(result)
        if time.monotonic() - self.written < PROGRESS_S:
            return
        # only a view: the verdict itself is written with care
        with contextlib.suppress(SQLAlchemyError):
            cases = [_shown(case) for case in self.cases]
            if not submission_queue.note_progress(self.database, self.claimed, cases):
                raise LeaseLostError
        self.written = time.monotonic()
        self.hub.notify(self.claimed.id)


def _shown(result: CaseResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "verdict": str(result.verdict),
        "sample": result.sample,
        "message": result.message,
        "findings": findings_json(result.findings),
    }


class WrittenText:
    """Called with a model's text whenever it has grown; stores it now and then."""

    def __init__(self, database: Database, hub: Hub, claimed: submission_queue.Claim) -> None:
        self.database, self.hub, self.claimed = database, hub, claimed
        self.written = time.monotonic()

    def __call__(self, text: str) -> None:
        """Stores the text so far, if some time has passed."""
        if time.monotonic() - self.written < PROGRESS_S:
            return
        with contextlib.suppress(SQLAlchemyError):
            if not submission_queue.note_progress(self.database, self.claimed, [{"text": text}]):
                raise LeaseLostError
        self.written = time.monotonic()
        self.hub.notify(self.claimed.id)
