"""Every wrong mutant that the cases accept has a reason, and every reason still has its mutant."""

from pathlib import Path

import pytest

from grader.mutation.record import Row, read
from tests.shipped import shipped

ROOT = Path(__file__).resolve().parents[2]
ROWS = read(ROOT / "docs/mutants.json")
COUNTED = sorted({row.problem for row in ROWS})


def named(row: Row) -> set[str]:
    """The survivors of a row as mistakes.toml names them, without what shows them."""
    return {survivor.partition("; shown by ")[0] for survivor in row.survivors}


@pytest.mark.parametrize("slug", COUNTED)
def test_every_survivor_has_a_reason_and_every_reason_a_survivor(slug: str) -> None:
    counted = {name for row in ROWS if row.problem == slug for name in named(row)}
    assert counted == {*shipped(slug).survivors}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.problem}-{row.framework}")
def test_the_list_says_the_reason_of_each_survivor(row: Row) -> None:
    reasons = shipped(row.problem).survivors
    for survivor in row.survivors:
        assert survivor.endswith(f". {reasons[survivor.partition('; shown by ')[0]]}")
