"""Keeps what the service stores on disk readable by its owner only, whatever the umask, and
tightens what lies there already.
"""

import logging
import os
import stat
from pathlib import Path

from sqlalchemy.engine import make_url

from grader.errors import UsageError

log = logging.getLogger("server")

FOLDER, FILE = 0o700, 0o600
# of SQLite; it gives new ones the mode of the database file
BESIDE = ("", "-wal", "-shm", "-journal")


def private_folder(path: Path) -> Path:
    """The folder, made when it is missing. Raises `UsageError` when it cannot be.

    What lies in it is out of reach for other accounts, whatever its own mode.
    """
    try:
        path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{path}: this folder cannot be made: {error.strerror}; name another in JUDGE_INSTANCE"
        ) from None
    _tighten(path, FOLDER)
    return path


def private_file(path: Path) -> None:
    """Tightens a file that is there."""
    if path.exists():
        _tighten(path, FILE)


def private_database(url: str) -> None:
    """Makes the file of a SQLite database before SQLite does, and tightens it and what SQLite keeps
    beside it.
    """
    parsed = make_url(url)
    if (
        parsed.get_backend_name() != "sqlite"
        or not parsed.database
        or parsed.database.startswith((":", "file:"))
    ):
        return
    path = Path(parsed.database)
    if path.parent.is_dir():  # otherwise SQLite says what is wrong
        # Opened rather than touched: `touch` applies the umask, but never gives more than this,
        # even for a moment.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE))
    for ending in BESIDE:
        private_file(path.with_name(path.name + ending))


def _tighten(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) & ~mode == 0:
        return
    try:
        path.chmod(mode)
    except PermissionError:
        remedy = f"chmod {mode:o} {path}"
        log.warning(
            "others may read what the service keeps",
            extra={"fields": {"path": str(path), "do": remedy}},
        )
