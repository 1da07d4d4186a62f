"""Reads the driver of a problem: the table [driver] and the files driver_FRAMEWORK.py."""

from pathlib import Path

from grader.errors import ProblemError
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
            raise ProblemError(
                f"{folder / files[0]}: nothing says what it takes and returns; add a table [driver]"
                " with params and returns to problem.toml"
            )
        return None
    table = toml.table("driver")
    returns = table.strings("returns")
    run = Entry(
        RUN, parameters(table, "params"), returns, entries[0].init, read_nested(table, returns)
    )
    table.reject_unknown()
    if not run.returns:
        raise ProblemError(f"{table.where('returns')} is empty; name what run() returns")
    clash = next((entry.name for entry in entries if entry.name in RESERVED), None)
    if clash:
        raise ProblemError(
            f"{toml.path}: an entry point of a problem with a driver cannot be called '{clash}';"
            " rename it"
        )
    why = "with a table [driver], every declared framework needs one"
    return Driver(run, {f: read_text(folder / f"driver_{f}.py", why) for f in frameworks})
