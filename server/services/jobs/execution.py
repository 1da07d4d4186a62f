"""Carries out one claimed job: its lease is renewed meanwhile, and its end is stored."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from grader.errors import RoomError, UsageError
from server.models.database import Database
from server.services.jobs import leases
from server.services.jobs.leases import EXHAUSTED, Lease

log = logging.getLogger("server.jobs")

RENEWALS = 4  # in the time of one lease
ERROR_CHARS = 2000


@contextlib.contextmanager
def renewed(renew: Callable[[], None], every: float) -> Iterator[None]:
    """Calls `renew` every so many seconds, in a thread of its own, until the block ends.

    A renewal that fails is tried again next time.
    """
    over = threading.Event()

    def keep_renewing() -> None:
        while not over.wait(every):
            with contextlib.suppress(SQLAlchemyError):
                renew()

    thread = threading.Thread(target=keep_renewing, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def describe(error: Exception) -> str:
    """Returns what the operator reads of a failure."""
    return f"{type(error).__name__}: {error}"


def carry_out(
    database: Database,
    lease: Lease,
    work: Callable[[], Mapping[str, Any]],
    pause: float,
    dead: Mapping[str, Any] | None = None,
    describe: Callable[[Exception], str] = describe,
) -> bool:
    """Does the work and stores the values that it returns; False when there is no result.

    After a failure the job is retried, at first after `pause` seconds, except after a `UsageError`:
    it can never succeed. A dead letter gets the values of `dead`. Raises `RoomError` when there is
    no room; then the job waits as it was.
    """
    if lease.exhausted:
        _end(database, lease, EXHAUSTED, dead or {}, lease.failures)
        return False
    try:
        with renewed(lambda: _renew(database, lease), lease.kind.lease_s / RENEWALS):
            values = work()
    except RoomError:
        with database.write() as session:
            leases.give_back(session, lease, None)
        raise
    except UsageError as error:
        _end(database, lease, str(error), dead or {}, lease.failures + 1)
        return False
    # whatever it is, it is a failure of the service, and must not stop the other jobs
    except Exception as error:
        _failed(database, lease, describe(error), pause, dead or {})
        return False
    with database.write() as session:
        return leases.finish(session, lease, values)


def _renew(database: Database, lease: Lease) -> None:
    leases.renew(database, lease.kind, [lease], lease.kind.lease_s)


def _failed(
    database: Database, lease: Lease, error: str, pause: float, dead: Mapping[str, Any]
) -> None:
    fields = {"kind": lease.kind.table.__name__, "job": lease.id, "trouble": error[:500]}
    log.warning("job failed", extra={"fields": fields})
    if lease.last_attempt:
        _end(database, lease, error, dead, lease.failures + 1)
        return
    with database.write() as session:
        leases.retry(session, lease, error[:ERROR_CHARS], pause)


def _end(
    database: Database, lease: Lease, error: str, dead: Mapping[str, Any], failures: int
) -> None:
    values = {**dead, "failures": failures, "last_error": error[:ERROR_CHARS]}
    with database.write() as session:
        leases.finish(session, lease, values)
