"""Files that an option names: checked before the work begins, and written whole or not at all."""

import contextlib
import errno
import os
import shutil
from pathlib import Path

from grader.errors import UsageError
from grader.findings.text import T_


def check(path: Path | None) -> None:
    """Raises `UsageError` where a file could not be written, and leaves nothing there."""
    if path is None:
        return
    try:
        if _is_special(path):
            _check_special(path)
            return
        draft = _draft(path)
        draft.touch()
        draft.unlink()
    except OSError as error:
        raise _refused(path, error) from None


def _check_special(path: Path) -> None:
    """Asks without opening it: who reads a pipe would take that for the end."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write(path: Path, data: bytes) -> None:
    """Writes a file beside its place, and moves it there. Raises `UsageError`."""
    try:
        if _is_special(path):
            path.write_bytes(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise _refused(path, error) from None


def _replace(path: Path, data: bytes) -> None:
    draft = _draft(path)
    try:
        draft.write_bytes(data)
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(path, draft)
        draft.replace(path.resolve())
    except BaseException:  # a full disk, Ctrl-C
        draft.unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    """Is it a device, a pipe or a folder, which no file can replace?"""
    return path.exists() and not path.is_file()


def _draft(path: Path) -> Path:
    """The file beside; where `path` is a link, beside what that leads to."""
    place = path.resolve()
    return place.with_name(f".{place.name}.{os.getpid()}")


def _refused(path: Path, error: OSError) -> UsageError:
    text = T_(
        "%(path)s: cannot be written: %(reason)s; name a file in another place",
        path=str(path),
        reason=error.strerror,
    )
    return UsageError(text)
