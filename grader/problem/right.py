"""Reads the folder right/: other right solutions, named NAME_FRAMEWORK.py."""

from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.model import Framework
from grader.problem.definition import Right
from grader.problem.files import read_text


def read_right(folder: Path, frameworks: tuple[Framework, ...]) -> tuple[Right, ...]:
    """Reads every file of right/ in alphabetical order. Raises `ProblemError`."""
    return tuple(_right(path, frameworks) for path in sorted((folder / "right").glob("*.py")))


def _right(path: Path, frameworks: tuple[Framework, ...]) -> Right:
    name, _, framework = path.stem.rpartition("_")
    if not name or framework not in frameworks:
        words = T_(
            "%(path)s: its name must end in one of %(endings)s, such as %(example)s",
            path=str(path),
            endings=", ".join(f"_{known}.py" for known in frameworks),
            example=f"loops_{frameworks[0]}.py",
        )
        raise ProblemError(words)
    return Right(name, Framework(framework), read_text(path, T_("it is in the folder right/")))
