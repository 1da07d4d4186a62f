"""Counts of mutants as rows of a JSON file, for docs/bank.md."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from grader import output
from grader.errors import UsageError
from grader.findings.text import T_
from grader.model import Framework
from grader.mutation.run import Counts, Survivor
from grader.mutation.sieve import size
from grader.problem import Problem

FILE = "mutants.json"  # beside docs/bank.md
DIGEST = 12  # characters of a digest in a row


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one reference. `digest` is the beginning of the problem's `judging_digest`."""

    problem: str
    framework: str
    digest: str
    refused: int
    equivalent: int
    survivors: tuple[str, ...]
    out_of: int | None = None  # all mutants of the reference, where a sample of them was judged

    @property
    def total(self) -> int:
        """All mutants that were judged."""
        return self.refused + self.equivalent + len(self.survivors)


def row(problem: Problem, counts: Counts, out_of: int | None = None) -> Row:
    """Returns the row of one reference; `out_of` where a sample was judged."""
    survivors = tuple(explained(problem, each) for each in counts.survivors)
    return Row(
        problem.slug,
        str(counts.framework),
        problem.judging_digest[:DIGEST],
        counts.refused,
        counts.equivalent,
        survivors,
        out_of,
    )


def settles(rows: Sequence[Row], problem: Problem, framework: Framework) -> bool:
    """Were all mutants of this reference judged in cases of this text, and has each survivor its
    reason? Their draws may have been others: those of another installation.
    """
    reasons = tuple(f". {reason}" for reason in problem.survivors.values())
    return any(
        (row.problem, row.framework) == (problem.slug, str(framework))
        and row.digest == problem.judging_digest[:DIGEST]
        and row.out_of is None
        and all(line.endswith(reasons) for line in row.survivors)
        for row in rows
    )


def described(survivor: Survivor) -> str:
    """Returns a survivor with the smallest input that shows it, in one line."""
    case = survivor.shown_by.case
    sizes = [_sized(name, array) for name, array in case.inputs.items()]
    scalars = [f"{name} = {value}" for name, value in {**case.init, **case.options}.items()]
    shown = ", ".join((*sizes, *scalars)) or case.name
    return f"{survivor.mutant}; shown by {shown} ({size(survivor.shown_by)} numbers)"


def _sized(name: str, array: np.ndarray) -> str:
    """Returns the name and shape of an input, and its dtype where it is another float."""
    floats = array.dtype.kind == "f" and array.dtype != np.float32
    return f"{name} {f'{array.dtype} ' if floats else ''}{list(array.shape)}"


def explained(problem: Problem, survivor: Survivor) -> str:
    """Returns a survivor in one line, with the reason that mistakes.toml gives."""
    reason = problem.survivors.get(str(survivor.mutant))
    return described(survivor) + (f". {reason}" if reason else "")


def read(path: Path) -> list[Row]:
    """Returns the rows of a file; none where there is no file. Raises `UsageError`."""
    if not path.is_file():
        return []
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [Row(**{**each, "survivors": tuple(each["survivors"])}) for each in rows]
    except (ValueError, TypeError, KeyError):
        text = T_("%(path)s does not hold counts of mutants; remove it", path=str(path))
        raise UsageError(text) from None


def _written(row: Row) -> dict[str, object]:
    return {key: value for key, value in asdict(row).items() if value is not None}


def write(path: Path, rows: Sequence[Row]) -> None:
    """Adds rows to a file, in the place of older ones of the same references. A sample takes no
    place of a whole count of the same cases.
    """
    merged = {(each.problem, each.framework): each for each in read(path)}
    for row in rows:
        old = merged.get((row.problem, row.framework))
        if row.out_of is None or old is None or old.out_of or old.digest != row.digest:
            merged[row.problem, row.framework] = row
    ordered = [_written(each) for _, each in sorted(merged.items())]
    text = json.dumps(ordered, indent=1, ensure_ascii=False) + "\n"
    output.write(path, text.encode())
