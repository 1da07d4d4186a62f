"""Problems that were published here: their versions in the database, and each as a folder that the
bank loads like any other.
"""

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from grader.errors import GradeError, UsageError
from grader.problem import Problem, load
from server.lengths import checked
from server.messages import Message
from server.models.base import now
from server.models.database import Database
from server.models.submissions import ProblemVersion
from server.models.teaching import Publication
from server.services.problems.files import Tree, fetch, write

NOTE_LENGTH = 400


def latest(session: Session) -> dict[str, Publication]:
    """The version in use of every slug that was published here."""
    last = select(func.max(Publication.id)).group_by(Publication.slug)
    return {
        row.slug: row
        for row in session.scalars(select(Publication).where(Publication.id.in_(last)))
    }


def versions(session: Session, slug: str) -> list[Publication]:
    """Every version of a problem, the latest first."""
    return list(
        session.scalars(
            select(Publication).where(Publication.slug == slug).order_by(Publication.number.desc())
        )
    )


def add_version(
    session: Session, problem: Problem, tree: Tree, by: int, note: str, restores: int | None = None
) -> Publication:
    """Publish: a new number, and from now on the version in use.

    Raises `UsageError` for a note that cannot be stored.
    """
    number = (
        session.scalar(select(func.max(Publication.number)).where(Publication.slug == problem.slug))
        or 0
    ) + 1
    values = {
        "title": problem.title[:200],
        "files": dict(tree),
        "note": checked(Message("Note"), note, NOTE_LENGTH),
        "restores": restores,
        "by": by,
    }
    row = Publication(slug=problem.slug, number=number, digest=problem.digest, **values)
    session.add(row)
    session.execute(
        update(ProblemVersion).where(ProblemVersion.slug == problem.slug).values(current=False)
    )
    version = session.get(ProblemVersion, (problem.slug, problem.digest))
    if version is None:
        session.add(
            ProblemVersion(
                slug=problem.slug,
                digest=problem.digest,
                title=problem.title[:200],
                current=True,
                loaded_at=now(),
            )
        )
    else:
        version.current = True
    session.flush()
    return row


@dataclass(frozen=True, slots=True)
class Shelf:
    """The published problems as the bank asks for them.

    `folder` is a cache: it may be deleted at any time.
    """

    folder: Path
    database: Database

    def digests(self) -> dict[str, str]:
        """The version in use of each slug."""
        with self.database.read() as session:
            return {slug: row.digest for slug, row in latest(session).items()}

    def load(self, slug: str, digest: str) -> Problem:
        """One version.

        Raises `UsageError` when it was never published here, `ProblemError` when it can no longer
        be read.
        """
        root = self.folder / digest
        if not (root / "problems" / slug / "problem.toml").is_file():
            self._write(slug, digest, root)
        problem = load(root, slug)
        if problem.digest != digest:  # the cache was meddled with
            shutil.rmtree(root)
            self._write(slug, digest, root)
            problem = load(root, slug)
        return problem

    def _write(self, slug: str, digest: str, root: Path) -> None:
        with self.database.read() as session:
            row = session.scalar(
                select(Publication)
                .where(Publication.slug == slug, Publication.digest == digest)
                .limit(1)
            )
            if row is None:
                raise UsageError(
                    Message(
                        "%(slug)s: no version %(digest)s was published here",
                        slug=slug,
                        digest=digest[:12],
                    )
                )
            files = fetch(session, row.files)
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=self.folder, prefix=".draft-"))
        write(files, draft, slug)
        # another thread or process was first: its folder is the same
        with contextlib.suppress(OSError):
            os.rename(draft, root)
        shutil.rmtree(draft, ignore_errors=True)

    def load_all(self) -> tuple[dict[str, Problem], dict[str, str]]:
        """Every version in use, and what could not be read, by slug."""
        problems, faults = {}, {}
        for slug, digest in self.digests().items():
            try:
                problems[slug] = self.load(slug, digest)
            except GradeError as error:
                faults[slug] = str(error)
        return problems, faults
