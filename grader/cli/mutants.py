"""`grade mutants`: every mutant of the references -> counts, survivors and an exit status."""

from pathlib import Path

from rich.console import Console

from grader.cli.language import _
from grader.mutation import mutants, sample, survey
from grader.mutation.record import Row, row, write
from grader.problem import Problem
from grader.sandbox import Sandbox


def count_all(
    problems: list[Problem],
    sandbox: Sandbox,
    seed: int,
    some: int | None,
    target: Path | None,
    out: Console,
) -> int:
    """Judges the mutants of each reference, or `some` of them, and prints a line for each.

    Returns 0 when no wrong one is accepted for which mistakes.toml gives no reason, else 1.
    """
    rows: list[Row] = []
    unexpected = 0
    for problem in problems:
        for framework in problem.frameworks:
            with out.status(f"{problem.slug}, {framework}"):
                everything = mutants(problem.references[framework], framework)
                chosen = sample(problem, framework, some, seed) if some else everything
                counts = survey(problem, framework, sandbox, chosen, seed)
                unexpected += len({str(s.mutant) for s in counts.survivors} - {*problem.survivors})
                sampled = len(everything) if len(chosen) < len(everything) else None
                rows.append(row(problem, counts, sampled))
            _show(rows[-1], out)
        if target is not None:
            write(target, rows)
    return 1 if unexpected else 0


def _show(counted: Row, out: Console) -> None:
    words = _(
        "%(problem)s, %(framework)s: %(mutants)d mutants, %(refused)d refused,"
        " %(equivalent)d equivalent, %(survivors)d wrong and accepted"
    )
    values = {
        "problem": counted.problem,
        "framework": counted.framework,
        "mutants": counted.total,
        "refused": counted.refused,
        "equivalent": counted.equivalent,
        "survivors": len(counted.survivors),
    }
    out.print(words % values, markup=False, highlight=False)
    for survivor in counted.survivors:
        out.print(f"  {survivor}", markup=False, highlight=False)
