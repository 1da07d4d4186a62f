"""A problem as files: what may be in it, how it is kept (content-addressed), and how it becomes a
`Problem`.

Paths are those of the digest: `problems/cases.py` and `reference/numpy.py`, without the slug: a
copy under another slug has the same files.
"""

import hashlib
import re
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.cli.new import SLUG, TEMPLATE
from grader.errors import GradeError, ProblemError, UsageError
from grader.findings.text import Text, told
from grader.model import SERVER_LIMITS
from grader.problem import EXTENSIONS, Problem, load
from server.messages import Message
from server.models.database import insert_once
from server.models.teaching import Blob

FILE_BYTES = 512 << 10
TOTAL_BYTES = 4 << 20
MOST_FILES = 100
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,79}")

Files = Mapping[str, bytes]
Tree = Mapping[str, str]  # path -> SHA-256


def check_slug(slug: str) -> str:
    """Raises `UsageError` for what cannot name a problem."""
    if not SLUG.fullmatch(slug):
        raise UsageError(
            Message(
                "'%(slug)s' is not a valid slug; use 3 to 60 lower-case letters, digits and"
                " underscores, e.g. causal_mask",
                code="invalid_slug",
                slug=slug[:80],
            )
        )
    return slug


def check_path(path: str) -> str:
    """Raises `UsageError` naming the path when no problem has such a file."""
    group, *rest = path.split("/")
    depth_fits = len(rest) == 1 or (
        len(rest) == 2 and group == "problems" and rest[0] in ("mistakes", "right")
    )
    if group not in ("problems", "reference") or not depth_fits:
        raise UsageError(
            Message(
                "'%(path)s' has no place in a problem; files are problems/NAME,"
                " problems/mistakes/NAME and reference/NAME",
                code="file_misplaced",
                path=path[:200],
            )
        )
    if not all(NAME.fullmatch(part) for part in rest):
        raise UsageError(
            Message(
                "'%(path)s': use letters, digits, '_', '-' and '.' in a file's name",
                code="invalid_path",
                path=path[:200],
            )
        )
    if Path(rest[-1]).suffix not in EXTENSIONS:
        raise UsageError(
            Message(
                "'%(path)s': a problem's files end in %(endings)s",
                code="unknown_file_type",
                path=path[:200],
                endings=", ".join(sorted(EXTENSIONS)),
            )
        )
    return path


def check_content(path: str, content: bytes) -> bytes:
    """Raises `UsageError` naming the path when the content is too long or no text."""
    if len(content) > FILE_BYTES:
        raise UsageError(
            Message(
                "'%(path)s' has more than %(most)s bytes",
                code="file_too_large",
                path=path[:200],
                most=FILE_BYTES,
            )
        )
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            Message(
                "'%(path)s' is not UTF-8 text (byte %(byte)s)",
                code="file_not_utf8",
                path=path[:200],
                byte=str(error.start),
            )
        ) from None
    if "\0" in text:
        raise UsageError(
            Message("'%(path)s' has a NUL character", code="file_has_nul", path=path[:200])
        )
    return content


def check_all(files: Files) -> Files:
    """Every path and content, and their number and sum. Raises `UsageError`."""
    if len(files) > MOST_FILES:
        raise UsageError(
            Message(
                "a problem has at most %(most)s files; these are %(count)s",
                code="too_many_files",
                most=MOST_FILES,
                count=len(files),
            )
        )
    folded: dict[str, str] = {}
    for path, content in files.items():
        check_content(check_path(path), content)
        if folded.setdefault(path.casefold(), path) != path:
            raise UsageError(
                Message(
                    "'%(left)s' and '%(right)s' differ in case only; rename one",
                    code="duplicate_file",
                    left=path,
                    right=folded[path.casefold()],
                )
            )
    if sum(map(len, files.values())) > TOTAL_BYTES:
        raise UsageError(
            Message(
                "the files have more than %(most)s bytes together",
                code="problem_too_large",
                most=TOTAL_BYTES,
            )
        )
    return files


def from_template(slug: str) -> dict[str, bytes]:
    """What `grade new` writes."""
    content = {}
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and path.suffix in EXTENSIONS:
            content[path.relative_to(TEMPLATE).as_posix()] = (
                path.read_text(encoding="utf-8").replace("SLUG", slug).encode()
            )
    return content


def of_problem(problem: Problem) -> dict[str, bytes]:
    """The files of a problem as it lies on disk."""
    content = {}
    for label, base in (
        ("problems", problem.folder),
        ("reference", problem.folder.parents[1] / "reference" / problem.slug),
    ):
        for path in sorted(base.rglob("*")):
            if path.is_file() and path.suffix in EXTENSIONS and "__pycache__" not in path.parts:
                content[f"{label}/{path.relative_to(base).as_posix()}"] = path.read_bytes()
    return content


def tree_hash(tree: Tree) -> str:
    """Names a set of files."""
    return hashlib.sha256(
        "".join(f"{path}\0{sha}\n" for path, sha in sorted(tree.items())).encode()
    ).hexdigest()


def sha(content: bytes) -> str:
    """Names a content."""
    return hashlib.sha256(content).hexdigest()


def keep(session: Session, files: Files) -> dict[str, str]:
    """Store what is not stored yet; the tree."""
    tree = {path: sha(content) for path, content in files.items()}
    known = set(session.scalars(select(Blob.sha).where(Blob.sha.in_(tree.values()))))
    for path, name in tree.items():
        if name not in known:
            insert_once(session, Blob, {"sha": name, "content": files[path]})
            known.add(name)
    return tree


def fetch(session: Session, tree: Tree) -> dict[str, bytes]:
    """The files of a tree, sorted by path."""
    rows = session.scalars(select(Blob).where(Blob.sha.in_(tree.values())))
    contents = {row.sha: row.content for row in rows}
    return {path: contents[sha] for path, sha in sorted(tree.items())}


def write(files: Files, root: Path, slug: str) -> None:
    """A bank of one problem under `root`."""
    for folder in ("problems", "reference"):
        (root / folder / slug).mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        group, _, rest = check_path(path).partition("/")
        target = root / group / slug / rest
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)


def read(files: Files, slug: str) -> Problem:
    """Check the form as for any problem on disk.

    Raises `ProblemError`, its text with the paths that its author knows.
    """
    with tempfile.TemporaryDirectory(prefix="draft-") as folder:
        root = Path(folder)
        write(check_all(files), root, check_slug(slug))
        if not (root / "problems" / slug / "problem.toml").is_file():
            raise ProblemError(
                Message(
                    "%(path)s: this file is missing; see docs/problem-format.md",
                    path=f"problems/{slug}/problem.toml",
                )
            )
        try:
            problem = load(root, slug)
        except GradeError as error:
            raise ProblemError(_without(told(error), f"{root}/")) from None
        except (
            RecursionError,
            MemoryError,
            ValueError,
            OverflowError,
            TypeError,
            AttributeError,
        ) as error:  # of the parsers, on hostile text
            raise ProblemError(
                Message(
                    "%(path)s or mistakes.toml: cannot be read: %(reason)s",
                    path=f"problems/{slug}/problem.toml",
                    reason=f"{type(error).__name__} {error}"[:300],
                )
            ) from None
    if problem.tolerance is not None and not 0 < problem.tolerance < 1e6:
        raise ProblemError(
            Message(
                "%(path)s: 'tolerance' is %(value)s; give a number above 0, or leave it out",
                path=f"problems/{slug}/problem.toml",
                value=str(problem.tolerance),
            )
        )
    for name, largest in asdict(SERVER_LIMITS).items():
        if not getattr(problem.limits, name) <= largest:
            raise ProblemError(
                Message(
                    "%(path)s: [limits] %(key)s is above %(most)s, the most that this service"
                    " gives",
                    path=f"problems/{slug}/problem.toml",
                    key=name,
                    most=f"{largest:g}",
                )
            )
    return problem


def _without(words: Any, root: str) -> Any:
    """The same words, and the texts in them, without the path of a folder of this machine."""
    if isinstance(words, Text):
        kept = {name: _without(value, root) for name, value in words.parameters.items()}
        return Text(words.pattern, kept)
    return words.replace(root, "") if isinstance(words, str) else words
