"""Submissions as people send and see them.

`server.services.submission_queue` is the worker's side.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from grader.errors import SubmissionError, UsageError
from grader.frameworks import TITLES
from grader.model import Framework
from grader.problem import Problem
from server.messages import Message
from server.models.database import Database, clock
from server.models.submissions import CANCELLED, State, Submission
from server.services import explorations
from server.services.courses import terms
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS

KEY_LENGTH = 64  # of an idempotency key


class KeyReused(SubmissionError):
    """An idempotency key came again with something else to judge."""


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """What a person sends to be judged, before it is checked."""

    user_id: int
    problem: Problem
    framework: str
    source: str | bytes
    samples_only: bool = False
    idempotency_key: str | None = None
    # of a sample run that looks into one case (`server.services.explorations.read`)
    exploration: Mapping[str, Any] | None = None
    use_last: bool = False  # of an assignment's attempts, without being asked


def accept(
    database: Database, sent: NewSubmission, source_limit: int, wake: Callable[[int], None]
) -> Submission:
    """Checks and stores what somebody sends, and wakes a worker with its number after the commit.

    The one way in, for form and API. Raises `SubmissionError`.
    """
    framework = read_framework(sent.problem, sent.framework)
    source = read_source(sent.source, source_limit)
    key = _checked_key(sent.idempotency_key)
    with database.write() as session:
        repeated = key is not None and _keyed(session, sent.user_id, key) is not None
        if not repeated:
            attempt = sent.exploration is None and not sent.samples_only
            terms.check(session, sent.user_id, sent.problem.slug, attempt, sent.use_last)
        if sent.exploration is not None:
            explorations.check(session, sent.user_id, sent.problem, sent.exploration)
        row, new = submit(
            session,
            sent.user_id,
            sent.problem,
            framework,
            source,
            samples_only=sent.samples_only or sent.exploration is not None,
            idempotency_key=key,
            exploration=sent.exploration,
        )
    if new:
        wake(row.id)
    return row


def _checked_key(key: str | None) -> str | None:
    if key is None or (0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable()):
        return key
    raise SubmissionError(
        Message(
            "An Idempotency-Key has 1 to 64 printable ASCII characters.",
            code="invalid_idempotency_key",
        )
    )


def read_source(data: str | bytes, limit: int) -> str:
    """Returns a learner's source as text.

    Raises `SubmissionError` when it is empty, longer than `limit` bytes, or not text.
    """
    text = (_decoded(data) if isinstance(data, bytes) else data).replace("\r\n", "\n")
    if not text.strip():
        raise SubmissionError(
            Message("There is no source: the submission is empty.", code="source_empty")
        )
    if "\0" in text:
        raise SubmissionError(
            Message(
                "Line %(line)s has a NUL character. Is this a Python file?",
                code="source_has_nul",
                line=str(text[: text.index("\0")].count("\n") + 1),
            )
        )
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise SubmissionError(
            Message(
                "The source has half a character (a lone surrogate); it cannot be written as"
                " UTF-8.",
                code="source_not_utf8",
            )
        ) from None
    if size > limit:
        raise SubmissionError(
            Message(
                "The source has %(size)s bytes; at most %(most)s are accepted.",
                code="source_too_large",
                size=size,
                most=limit,
            )
        )
    return text


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SubmissionError(
            Message(
                "The file is not UTF-8 text (byte %(byte)s). Save it as UTF-8 and send it again.",
                code="source_not_utf8",
                byte=str(error.start),
            )
        ) from None


def read_framework(problem: Problem, name: str) -> Framework:
    """Returns the framework of that name.

    Raises `SubmissionError` when the problem does not have it, or it is not installed here.
    """
    try:
        framework = problem.named(name)
    except UsageError:
        raise SubmissionError(
            Message(
                "'%(name)s' is not a framework of this problem; choose from: %(known)s.",
                code="unknown_framework",
                name=name[:40],
                known=", ".join(problem.frameworks),
            )
        ) from None
    if framework in problem.missing:
        raise SubmissionError(
            Message(
                "%(framework)s is not installed on this server, so what is written in it cannot be"
                " judged.",
                code="framework_not_installed",
                framework=TITLES[framework],
            )
        )
    return framework


def submit(
    session: Session,
    user_id: int,
    problem: Problem,
    framework: Framework,
    source: str,
    *,
    samples_only: bool = False,
    idempotency_key: str | None = None,
    exploration: Mapping[str, Any] | None = None,
) -> tuple[Submission, bool]:
    """Queues a submission, or finds the one of the same key: (the row, whether it is new).

    Raises `KeyReused` when what was sent with that key is not the same.
    """
    row = Submission(
        user_id=user_id,
        problem=problem.slug,
        digest=problem.digest,
        framework=framework,
        source=source,
        samples_only=samples_only,
        idempotency_key=idempotency_key,
        exploration=None if exploration is None else dict(exploration),
    )
    earlier = _of_key(session, row)
    if earlier is not None:
        return earlier, False
    row.round, row.submitted_at = leases.next_round(session, SUBMISSIONS, user_id), clock(session)
    if idempotency_key is None:
        session.add(row)
        session.flush()
        return row, True
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:  # PostgreSQL: the same key, sent twice at the same moment
        earlier = _of_key(session, row)
        if earlier is None:
            raise
        return earlier, False
    return row, True


def _of_key(session: Session, sent: Submission) -> Submission | None:
    """Returns the row that was sent with the same key before. Raises `KeyReused`."""
    if sent.idempotency_key is None:
        return None
    earlier = _keyed(session, sent.user_id, sent.idempotency_key)
    if earlier is not None and not _same(earlier, sent):
        raise KeyReused(
            Message(
                "This Idempotency-Key was used for submission %(number)s, which has another"
                " problem, framework or source. Send what is new with a key of its own.",
                code="idempotency_key_reused",
                number=str(earlier.id),
            )
        )
    return earlier


def _same(earlier: Submission, sent: Submission) -> bool:
    """Checks that a request is repeated; a source that is no longer kept is taken for the same."""
    fields = ("problem", "framework", "samples_only")
    return all(getattr(earlier, name) == getattr(sent, name) for name in fields) and (
        earlier.source in (sent.source, "")
    )


def _keyed(session: Session, user_id: int, key: str) -> Submission | None:
    return session.scalar(
        select(Submission).where(Submission.user_id == user_id, Submission.idempotency_key == key)
    )


def cancel(database: Database, user_id: int, submission_id: int) -> bool:
    """Cancels a learner's own submission that is queued, or asks the worker that judges it to stop;
    False when they have none of that number.

    A run whose cases were shown stays an attempt: otherwise one could look and take it back.
    Whoever judges it loses the lease here, so no verdict comes later. Raises `SubmissionError`.
    """
    with database.write() as session:
        row = own(session, user_id, submission_id)
        if row is None or row.exploration is not None:
            return False
        session.refresh(row, with_for_update=True)
        if row.state == State.DONE and not row.cancelled:
            raise SubmissionError(
                Message("There is nothing to cancel: it is judged.", code="already_judged")
            )
        if not row.cancelled:
            _take_back(session, row)
        return True


def _take_back(session: Session, row: Submission) -> None:
    # a failure of the judge empties `progress`; what had been shown until then stays shown
    row.outcome, row.max_score = CANCELLED, max(len(row.progress or []), row.max_score or 0)
    row.attempt += 1
    if row.state == State.QUEUED:
        row.state, row.judged_at, row.not_before = State.DONE, clock(session), None


def own(session: Session, user_id: int, submission_id: int) -> Submission | None:
    """Returns a learner's own submission; None for another's, as if it did not exist."""
    return session.scalar(
        select(Submission).where(Submission.id == submission_id, Submission.user_id == user_id)
    )
