"""The installation's secret and folders.

Hidden inputs come from a problem's digest, a public seed and this secret.
"""

import contextlib
import hashlib
import os
import secrets
import threading
from pathlib import Path

from grader.findings.text import T_, Text

LENGTH = 32  # bytes


def data_folder() -> Path:
    """Where the secret and the learner's progress live: GRADE_HOME, else the user's data folder."""
    named = os.environ.get("GRADE_HOME")
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(named) if named else Path(base) / "attention-judge"


def cache_folder() -> Path:
    """Where answers are cached: below GRADE_HOME, else the user's cache folder.

    It may be deleted at any time.
    """
    named = os.environ.get("GRADE_HOME")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(named) / "cache" if named else Path(base) / "attention-judge"


def installation_secret() -> bytes:
    """32 random bytes, made at first use.

    Where nothing can be written, they last for this process only (`trouble`).
    """
    global _SECRET
    with _LOCK:  # threads that make it at the same time would draw different inputs
        if _SECRET is None:
            _SECRET = _stored()
        return _SECRET


_SECRET: bytes | None = None
_LOCK = threading.Lock()
_trouble: Text | None = None


def trouble() -> Text | None:
    """Why the secret in use is forgotten with this process, and what to do; None when it is kept,
    or none was needed yet.
    """
    return _trouble


def _stored() -> bytes:
    global _trouble
    _trouble = None
    path = data_folder() / "secret"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"secret.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(LENGTH))
        try:
            os.link(draft, path)  # the first of several processes wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        why = T_(
            "%(path)s is damaged, so the hidden inputs are others in each run; remove it",
            path=str(path),
        )
    except OSError as error:
        why = T_(
            "%(path)s cannot be written (%(reason)s), so the hidden inputs are others in each run;"
            " let GRADE_HOME name a folder of yours",
            path=str(path.parent),
            reason=error.strerror,
        )
    with contextlib.suppress(OSError):
        secret = path.read_bytes()
        if len(secret) == LENGTH:
            return secret
    _trouble = why
    return secrets.token_bytes(LENGTH)


def hidden_seed(digest: str, seed: int) -> int:
    """The seed of the hidden inputs: nobody without the secret can compute it from a verdict."""
    whole = hashlib.sha256(
        installation_secret() + f"hidden draw {seed} of {digest}".encode()
    ).digest()
    return int.from_bytes(whole[:8], "little") >> 1


def public_seed(slug: str) -> int:
    """The seed of a problem's samples and public twins: the same on every installation."""
    whole = hashlib.sha256(f"public draw of {slug}".encode()).digest()
    return int.from_bytes(whole[:8], "little") >> 1
