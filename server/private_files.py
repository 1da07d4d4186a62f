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
SQLITE = b"SQLite format 3\0"  # how its files begin
# what the service and its image keep in its folder (`Settings.instance`), and what a new disk has
OURS = {"secret_key", "judge.sqlite3", "published", "alive", "grade", "lost+found"}


def private_folder(path: Path) -> Path:
    """The folder, made when it is missing.

    What lies in it is out of reach for other accounts, whatever its own mode. Raises `UsageError`
    when it cannot be made, or is open to others and holds something else, such as /tmp.
    """
    try:
        path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
        if _wide(path, FOLDER) and _of_others(path):
            raise UsageError(
                f"{path}: others use this folder, and it would be closed to them; name one for the"
                " service alone in JUDGE_INSTANCE"
            )
    except OSError as error:
        raise UsageError(
            f"{path}: this folder cannot be used: {error.strerror}; name another in JUDGE_INSTANCE"
        ) from None
    _tighten(path, FOLDER)
    return path


def private_file(path: Path) -> None:
    """Tightens a file that is there."""
    if path.exists():
        _tighten(path, FILE)


def private_database(url: str) -> None:
    """Makes the file of a SQLite database before SQLite does, and tightens it and what SQLite keeps
    beside it; a file that is something else stays as it is.

    Raises `UsageError` when it cannot be read and written.
    """
    parsed = make_url(url)
    if (
        parsed.get_backend_name() != "sqlite"
        or not parsed.database
        or parsed.database.startswith((":", "file:"))
    ):
        return
    path = Path(parsed.database)
    try:
        # Opened rather than touched: `touch` applies the umask, but never gives more than this,
        # even for a moment.
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, FILE), "rb") as file:
            if file.read(len(SQLITE)) not in (b"", SQLITE):
                return  # SQLite says so
    except OSError as error:
        raise UsageError(
            f"{path}: this database cannot be opened: {error.strerror}; see JUDGE_DATABASE_URL and"
            " JUDGE_INSTANCE"
        ) from None
    for ending in BESIDE:
        private_file(path.with_name(path.name + ending))


def _of_others(path: Path) -> bool:
    inside = {name for name in os.listdir(path) if not name.startswith(".")}
    return bool(inside) and not inside & OURS


def _wide(path: Path, mode: int) -> bool:
    return stat.S_IMODE(path.stat().st_mode) & ~mode != 0


def _tighten(path: Path, mode: int) -> None:
    if not _wide(path, mode):
        return
    try:
        path.chmod(mode)
    except PermissionError:
        remedy = f"chmod {mode:o} {path}"
        log.warning(
            "others may read what the service keeps",
            extra={"fields": {"path": str(path), "do": remedy}},
        )
