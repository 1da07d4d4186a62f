"""The key of what is cached: the code that determines it."""

import shutil
from pathlib import Path

import pytest

from grader.engine import code, engine
from tests.conftest import ROOT

GRADER = ROOT / "grader"
CODE = sorted(
    path.relative_to(GRADER).as_posix()
    for path in GRADER.rglob("*.py")
    if GRADER / "cli" not in path.parents
)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the judge's code, free to be changed."""
    folder = tmp_path / "grader"
    shutil.copytree(GRADER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_key_covers_what_determines_a_value() -> None:
    named = (
        "case.py answers/draw.py answers/tolerance.py comparison/compare.py verdict/outcome.py"
        " diagnosis/diagnose.py inside/call.py inside/child.py sandbox/job.py sandbox/intake/decode.py".split()
    )
    assert set(named) < set(CODE)
    assert len(engine()) == 12


def test_another_byte_is_another_engine(copied: Path) -> None:
    """The first byte of a file, its last one, one more: in turn, over all files."""
    before, unnoticed = code(copied), []
    for index, name in enumerate(CODE):
        data = (copied / name).read_bytes()
        changed = (
            bytes([data[0] ^ 1]) + data[1:],
            data[:-1] + bytes([data[-1] ^ 1]),
            data + b"\n",
        )[index % 3]
        (copied / name).write_bytes(changed)
        if code(copied) == before:
            unnoticed.append(name)
        (copied / name).write_bytes(data)
    assert unnoticed == []
    assert code(copied) == before


def test_the_command_line_is_not_part_of_it(copied: Path) -> None:
    before = code(copied)
    (copied / "cli" / "run.py").write_text("")
    (copied / "notes.txt").write_text("not code")
    assert code(copied) == before
    (copied / "inside" / "another.py").write_text("")
    assert code(copied) != before
