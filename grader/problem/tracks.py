"""The tracks of a bank: groups of problems, in the order of problems/tracks.toml."""

import re
from pathlib import Path

from grader.errors import ProblemError
from grader.problem.files import read_toml
from grader.problem.table import Table

FILE = "tracks.toml"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
FORM = "use lower-case letters, digits and underscores, such as 'long_context'"


def read_tracks(problems: Path) -> tuple[str, ...]:
    """Returns the names in the file beside the problems, in its order; nothing without a file.

    Raises `ProblemError`.
    """
    path = problems / FILE
    if not path.exists():
        return ()
    table = Table(read_toml(path), path)
    names = table.strings("tracks")
    table.reject_unknown()
    for name in names:
        if not NAME.fullmatch(name):
            raise ProblemError(f"{path}: '{name}' is not the name of a track; {FORM}")
        if names.count(name) > 1:
            raise ProblemError(f"{path}: 'tracks' lists '{name}' twice; remove one")
    return names


def read_track(table: Table) -> str:
    """Reads the track of a problem: a name of any kind. Raises `ProblemError`."""
    name = table.string("track")
    if not NAME.fullmatch(name):
        raise ProblemError(f"{table.where('track')} is '{name}'; {FORM}")
    return name
