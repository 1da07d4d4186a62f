"""The problem bank as the service holds it: loaded from disk, its versions written to the database.

What lies on disk counts from the moment of `sync` (at the start of a server, or `flask bank sync`);
a server that is running sees in the database that another process has synced, and loads what
changed.
"""

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import bindparam, select

from grader.errors import GradeError
from grader.problem import Problem, bank_root, load, slugs, teaching_order, track_order
from server.models.base import now
from server.models.database import Database
from server.models.submissions import ProblemVersion
from server.services.problems.published import Shelf, latest

CHECK_S = 1.0


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did: slugs by what became of them, and what could not be loaded."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    faults: dict[str, str]


log = logging.getLogger("judge.bank")


# not the whole rows: their samples are large
_CURRENT = select(ProblemVersion.slug, ProblemVersion.digest).where(ProblemVersion.current)
# built once: every verdict asks this
_DIGEST = select(ProblemVersion.digest).where(
    ProblemVersion.slug == bindparam("b_slug"), ProblemVersion.current
)


class Bank:
    """The current problems. Safe to use from several threads."""

    def __init__(self, folder: Path, database: Database, shelf: Shelf | None = None) -> None:
        self.folder, self.database, self.shelf = folder, database, shelf
        self._problems: dict[str, Problem] = {}
        self._tracks: tuple[str, ...] = ()
        self._checked = 0.0
        self._lock = threading.Lock()

    def problems(self) -> Sequence[Problem]:
        """Every current problem, in teaching order."""
        self._refresh()
        return sorted(self._problems.values(), key=teaching_order(self._tracks))

    def get(self, slug: str) -> Problem | None:
        """One current problem."""
        self._refresh()
        return self._problems.get(slug)

    def newest(self, slug: str) -> Problem | None:
        """One problem, in the version that is in use at this moment: another process may have just
        published it.
        """
        problem = self.get(slug)
        with self.database.ask() as connection:
            digest = connection.scalar(_DIGEST, {"b_slug": slug})
        if (problem.digest if problem else None) != digest:
            self.look_again()
            problem = self.get(slug)
        return problem

    def sync(self) -> Synced:
        """Take over what lies on disk.

        A problem that is malformed keeps its last version, if this process has it.
        """
        problems, faults = _load_all(self.folder)
        on_disk = problems.keys() | faults.keys()
        if self.shelf is not None:  # what lies on disk has its slug first
            published, unread = self.shelf.load_all()
            problems, faults = published | problems, unread | faults
        with self.database.write() as session:
            rows = {(row.slug, row.digest): row for row in session.scalars(select(ProblemVersion))}
            old = {slug: digest for (slug, digest), row in rows.items() if row.current}
            # published while the problems were loaded: that stays
            newer = {
                slug
                for slug, row in latest(session).items()
                if slug not in on_disk
                and (slug not in problems or problems[slug].digest != row.digest)
            }
            for problem in problems.values():
                if (problem.slug, problem.digest) not in rows:
                    session.add(
                        ProblemVersion(
                            slug=problem.slug,
                            digest=problem.digest,
                            title=problem.title,
                            current=True,
                            loaded_at=now(),
                        )
                    )
            for (slug, digest), row in rows.items():
                if slug not in newer:
                    row.current = (
                        problems[slug].digest == digest
                        if slug in problems
                        else slug in faults and row.current
                    )
        with self._lock:
            self._problems = problems | {
                slug: p for slug, p in self._problems.items() if slug in faults
            }
            self._tracks = _track_order(self.folder, self._tracks)
            self._checked = 0.0  # another thread may have read a later state
        return Synced(
            added=tuple(slug for slug in problems if slug not in old),
            changed=tuple(
                slug for slug in problems if slug in old and old[slug] != problems[slug].digest
            ),
            removed=tuple(slug for slug in old if slug not in problems and slug not in faults),
            faults=faults,
        )

    def root(self) -> Path:
        """The folder that holds problems/ and reference/ of what was shipped."""
        return bank_root(self.folder).resolve()

    def look_again(self) -> None:
        """Something was published: the next question looks in the database first."""
        with self._lock:  # a look that has begun may not have seen it, and ends before
            self._checked = 0.0

    def _published(self, slug: str, digest: str) -> dict[str, Problem]:
        try:
            return {slug: self.shelf.load(slug, digest)} if self.shelf is not None else {}
        except GradeError:
            return {}

    def _refresh(self) -> None:
        """Look in the database, at most once a second, whether another process has synced."""
        if time.monotonic() - self._checked < CHECK_S:
            return
        with self._lock:
            if time.monotonic() - self._checked < CHECK_S:
                return
            with self.database.read() as session:
                current = {row.slug: row.digest for row in session.execute(_CURRENT)}
            kept = {slug: p for slug, p in self._problems.items() if slug in current}
            for slug, digest in current.items():
                if slug not in kept or kept[slug].digest != digest:
                    kept |= _load_if(self.folder, slug, digest) or self._published(slug, digest)
            self._problems = kept
            self._tracks = _track_order(self.folder, self._tracks)
            self._checked = time.monotonic()


def _track_order(folder: Path, known: tuple[str, ...]) -> tuple[str, ...]:
    """The order of the tracks; the one that is known while the file is malformed."""
    try:
        return track_order(folder)
    except GradeError as error:
        log.warning("tracks", extra={"fields": {"error": str(error)}})
        return known


def _load_all(folder: Path) -> tuple[dict[str, Problem], dict[str, str]]:
    problems, faults = {}, {}
    for slug in slugs(folder):
        try:
            problems[slug] = load(folder, slug)
        except GradeError as error:
            faults[slug] = str(error)
    return problems, faults


def _load_if(folder: Path, slug: str, digest: str) -> dict[str, Problem]:
    """The problem, when the disk still holds the version that was synced."""
    try:
        problem = load(folder, slug)
    except GradeError:
        return {}
    return {slug: problem} if problem.digest == digest else {}
