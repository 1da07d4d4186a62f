"""Finds the bank and the problems in it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.findings.text import T_
from grader.problem.definition import Problem
from grader.problem.loading import read
from grader.problem.spelling import did_you_mean
from grader.problem.tracks import read_tracks

SHIPPED = Path(__file__).resolve().parents[2]  # the bank beside this package


def default_bank() -> Path:
    """Returns the bank to use when none is named.

    GRADE_BANK comes first, then the nearest folder with `problems/` and `reference/`, here or
    above, then the bank beside this package.
    """
    named = os.environ.get("GRADE_BANK")
    if named:
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "problems").is_dir() and (folder / "reference").is_dir():
            return folder
    return SHIPPED


def bank_root(bank: Path) -> Path:
    """Returns the folder that holds `problems/` and `reference/`.

    `bank` may be that folder or its `problems/`. Raises `UsageError` when it is neither.
    """
    root = bank.parent if bank.name == "problems" and not (bank / "problems").is_dir() else bank
    if not (root / "problems").is_dir():
        words = T_(
            "%(path)s: no problem bank here; a bank is a folder with problems/ and reference/ in"
            " it (--bank DIR, GRADE_BANK or, for the service, JUDGE_BANK); for a new one:"
            " %(command)s",
            path=str(bank),
            command=f"mkdir -p {bank}/problems {bank}/reference",
        )
        raise UsageError(words)
    return root


def slugs(bank: Path) -> list[str]:
    """Returns the slugs of a bank in alphabetical order."""
    return sorted(p.parent.name for p in (bank_root(bank) / "problems").glob("*/problem.toml"))


def load_bank(bank: Path) -> list[Problem]:
    """Reads every problem of a bank and returns them in teaching order.

    Raises `ProblemError` for the first one that is malformed.
    """
    problems = [load(bank, slug) for slug in slugs(bank)]
    return sorted(problems, key=teaching_order(track_order(bank)))


def track_order(bank: Path) -> tuple[str, ...]:
    """Returns the tracks of a bank in teaching order; those of the shipped one where it lists none.

    Raises `ProblemError` for a malformed file.
    """
    return tracks_beside(bank_root(bank) / "problems")


def tracks_beside(problems: Path) -> tuple[str, ...]:
    """Returns the same for the folder that holds the problems, which need not be that of a bank.

    Raises `ProblemError` for a malformed file.
    """
    return read_tracks(problems) or read_tracks(SHIPPED / "problems")


def teaching_order(tracks: Sequence[str]) -> Callable[[Problem], tuple[int, str, int, str]]:
    """Returns the key that sorts problems: by track, and in it by order. What `tracks` does not
    list comes last.
    """
    places = {track: place for place, track in enumerate(tracks)}
    return lambda p: (places.get(p.track, len(places)), p.track, p.order, p.slug)


def load(bank: Path, slug: str) -> Problem:
    """Reads one problem.

    Raises `UsageError` when the bank has none of that name, `ProblemError` when it is malformed.
    """
    root = bank_root(bank)
    folder, reference = root / "problems" / slug, root / "reference" / slug
    if not slug or "/" in slug or slug.startswith(".") or not (folder / "problem.toml").exists():
        words = T_(
            "no problem '%(slug)s' in %(folder)s%(meant)s; `grade list` shows them all",
            slug=slug,
            folder=str(root / "problems"),
            meant=did_you_mean(slug, slugs(bank)),
        )
        raise UsageError(words)
    return read(slug, folder, reference)
