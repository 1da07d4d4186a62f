"""The tracks of a bank: groups of problems, in the order of problems/tracks.toml."""

import re
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.problem.files import read_toml
from grader.problem.table import Table

FILE = "tracks.toml"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
FORM = T_("use lower-case letters, digits and underscores, such as 'long_context'")


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
            words = T_(
                "%(path)s: '%(name)s' is not the name of a track; %(form)s",
                path=str(path),
                name=name,
                form=FORM,
            )
            raise ProblemError(words)
        if names.count(name) > 1:
            place = table.where("tracks")
            raise ProblemError(
                T_("%(key)s lists '%(name)s' twice; remove one", key=place, name=name)
            )
    return names


def read_track(table: Table) -> str:
    """Reads the track of a problem: a name of any kind. Raises `ProblemError`."""
    name = table.string("track")
    if not NAME.fullmatch(name):
        place = table.where("track")
        raise ProblemError(T_("%(key)s is '%(name)s'; %(form)s", key=place, name=name, form=FORM))
    return name
