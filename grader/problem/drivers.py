"""Reads the driver of a problem: the table [driver] and the files driver_FRAMEWORK.py."""

from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.model import Framework
from grader.problem.definition import Driver, Entry
from grader.problem.entries import parameters, read_nested
from grader.problem.files import read_text
from grader.problem.table import Table

RUN = "run"  # the function that a driver defines
RESERVED = (RUN, "make")


def read_driver(
    toml: Table, entries: tuple[Entry, ...], folder: Path, frameworks: tuple[Framework, ...]
) -> Driver | None:
    """Reads the driver; None where the problem has none. Raises `ProblemError`."""
    files = sorted(path.name for path in folder.glob("driver_*.py"))
    if "driver" not in toml.values:
        if files:
            words = T_(
                "%(path)s: nothing says what it takes and returns; add a table [driver] with"
                " params and returns to problem.toml",
                path=str(folder / files[0]),
            )
            raise ProblemError(words)
        return None
    table = toml.table("driver")
    returns = table.strings("returns")
    run = Entry(
        RUN, parameters(table, "params"), returns, entries[0].init, read_nested(table, returns)
    )
    table.reject_unknown()
    if not run.returns:
        place = table.where("returns")
        raise ProblemError(T_("%(key)s is empty; name what run() returns", key=place))
    clash = next((entry.name for entry in entries if entry.name in RESERVED), None)
    if clash:
        words = T_(
            "%(path)s: an entry point of a problem with a driver cannot be called '%(name)s';"
            " rename it",
            path=str(toml.path),
            name=clash,
        )
        raise ProblemError(words)
    why = T_("with a table [driver], every declared framework needs one")
    return Driver(run, {f: read_text(folder / f"driver_{f}.py", why) for f in frameworks})
