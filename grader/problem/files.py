"""Reads the files of a problem, and computes digests over them."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from grader.errors import ProblemError
from grader.findings.text import T_, Text

EXTENSIONS = {".toml", ".md", ".py"}
JUDGING = ("problems/cases.py", "problems/driver_*.py", "reference/*.py")
SEE = T_("see docs/problem-format.md")
# keys of problem.toml that say what a problem is called and where it stands
WORDING = {"title", "title_zh", "track", "order", "difficulty", "source", "requires"}


def contents(folder: Path, reference: Path) -> dict[str, bytes]:
    """Returns the bytes of every file that belongs to a problem, by its path in the bank."""
    return {
        f"{label}/{path.relative_to(base).as_posix()}": path.read_bytes()
        for base, label in ((folder, "problems"), (reference, "reference"))
        for path in sorted(base.rglob("*"))
        if path.is_file() and path.suffix in EXTENSIONS and "__pycache__" not in path.parts
    }


def digest(files: Mapping[str, bytes]) -> str:
    """Returns the SHA-256 over names and contents, in hexadecimal digits."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def judging_digest(files: Mapping[str, bytes]) -> str:
    """Returns the digest over what decides which programs are accepted: the cases, the drivers, the
    references, and problem.toml without its wording. Statements, hints, mistakes, starters and
    other right solutions decide nothing.
    """
    deciding = {
        name: content
        for name, content in files.items()
        if any(PurePosixPath(name).match(pattern) for pattern in JUDGING)
    }
    declared = tomllib.loads(files["problems/problem.toml"].decode())
    kept = {key: value for key, value in declared.items() if key not in WORDING}
    return digest(deciding | {"problems/problem.toml": json.dumps(kept, sort_keys=True).encode()})


def read_text(path: Path, why: Text | str) -> str:
    """Reads a file as UTF-8. Raises `ProblemError`; `why` says what the file is needed for."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        words = T_("%(path)s: this file is missing; %(why)s", path=str(path), why=why)
        raise ProblemError(words) from None
    except IsADirectoryError:
        words = T_("%(path)s: this is a directory; it must be a file", path=str(path))
        raise ProblemError(words) from None
    except (OSError, UnicodeDecodeError) as error:
        words = T_(
            "%(path)s: cannot be read as UTF-8 text: %(error)s", path=str(path), error=str(error)
        )
        raise ProblemError(words) from None


def read_toml(path: Path) -> dict[str, Any]:
    """Reads a TOML file. Raises `ProblemError`."""
    try:
        return tomllib.loads(read_text(path, SEE))
    except tomllib.TOMLDecodeError as error:
        words = T_("%(path)s: not valid TOML: %(error)s", path=str(path), error=str(error))
        raise ProblemError(words) from None
