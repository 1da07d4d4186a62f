"""Finds the bank and the problems in it."""

import os
from pathlib import Path

from grader.errors import UsageError
from grader.problem.definition import TRACKS, Problem
from grader.problem.loading import read
from grader.problem.spelling import did_you_mean


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
    return Path(__file__).resolve().parents[2]


def bank_root(bank: Path) -> Path:
    """Returns the folder that holds `problems/` and `reference/`.

    `bank` may be that folder or its `problems/`. Raises `UsageError` when it is neither.
    """
    root = bank.parent if bank.name == "problems" and not (bank / "problems").is_dir() else bank
    if not (root / "problems").is_dir():
        raise UsageError(
            f"{bank}: no problem bank here; a bank is a folder with problems/ and reference/ in it"
            " (--bank DIR or GRADE_BANK)"
        )
    return root


def slugs(bank: Path) -> list[str]:
    """Returns the slugs of a bank in alphabetical order."""
    return sorted(p.parent.name for p in (bank_root(bank) / "problems").glob("*/problem.toml"))


def load_bank(bank: Path) -> list[Problem]:
    """Reads every problem of a bank and returns them in teaching order.

    Raises `ProblemError` for the first one that is malformed.
    """
    return sorted(
        (load(bank, slug) for slug in slugs(bank)),
        key=lambda p: (TRACKS.index(p.track), p.order, p.slug),
    )


def load(bank: Path, slug: str) -> Problem:
    """Reads one problem.

    Raises `UsageError` when the bank has none of that name, `ProblemError` when it is malformed.
    """
    root = bank_root(bank)
    folder, reference = root / "problems" / slug, root / "reference" / slug
    if not slug or "/" in slug or slug.startswith(".") or not (folder / "problem.toml").exists():
        raise UsageError(
            f"no problem '{slug}' in {root / 'problems'}{did_you_mean(slug, slugs(bank))}; `grade"
            " list` shows them all"
        )
    return read(slug, folder, reference)
