"""What `verify` found, for a person: the kill matrix in a terminal, and the whole bank as a
Markdown page.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from grader.cli.language import _, chosen, ngettext
from grader.findings.catalogue import catalogue
from grader.findings.text import said
from grader.model import Outcome
from grader.mutation.record import Row
from grader.verify import Finding, Fitness, Matrix

MARKS = {
    Outcome.ACCEPTED: ("·", "dim"),
    Outcome.WRONG_ANSWER: ("✕", "green"),
    Outcome.RUNTIME_ERROR: ("E", "green"),
    Outcome.TIME_LIMIT: ("T", "green"),
    Outcome.MEMORY_LIMIT: ("M", "green"),
}
COLUMN = 3  # a number or `s1`, and a space


def show(fitness: Fitness, console: Console) -> None:
    """The matrices of one problem, then the broken rules."""
    for matrix in fitness.matrices:
        for part in _parts(fitness, matrix, console.width):
            console.print(part, highlight=False)
    for finding in fitness.findings:
        console.print(
            Text(_finding(finding), style="red"),
            highlight=False,
        )
    for warning in fitness.warnings:
        console.print(Text(_warning(warning), style="yellow"), highlight=False)
    sign = (
        Text(
            _("✓ nothing wrong in this part") if fitness.partial else _("✓ fit to use"),
            "bold green",
        )
        if fitness.fit
        else Text(_not_fit(len(fitness.findings)), "bold red")
    )
    console.print(Text(f"{fitness.problem.slug}: ").append_text(sign), highlight=False)


def _parts(fitness: Fitness, matrix: Matrix, width: int) -> Iterator[RenderableType]:
    """The kills, in blocks of as many cases as fit beside the names; what the signs mean; the
    cases.
    """
    title = _("%(problem)s, %(framework)s: which case kills which mistake")
    yield Text(title % {"problem": fitness.problem.slug, "framework": matrix.framework}, "italic")
    names = max(map(cell_len, (_("mistake"), *matrix.verdicts)))
    count = len(matrix.cases)
    blocks = ceil(count / max((width - names - 1) // COLUMN, 4))
    for block in range(blocks):  # of the same size, or nearly so
        yield _kills(matrix, range(count * block // blocks, count * (block + 1) // blocks))
        yield Text()
    yield Text(_key(matrix))
    yield _cases(matrix)
    yield Text()


def _kills(matrix: Matrix, numbers: Iterable[int]) -> Table:
    """A row for each mistake, a column for each case of a block."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(_("mistake"), style="dim", no_wrap=True)
    cases = [(number, matrix.cases[number].case) for number in numbers]
    for number, case in cases:
        label = f"{'s' if case.sample else ''}{number + 1}"
        table.add_column(label, justify="center", no_wrap=True, min_width=COLUMN - 1)
    for name, row in matrix.verdicts.items():
        table.add_row(name, *(Text(*_mark(row.get(case.name))) for _number, case in cases))
    return table


def _cases(matrix: Matrix) -> Table:
    """A row for each case: its number and name, and what was measured of it."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(_("case"), style="dim")
    for title in (_("noise"), _("tolerance"), _("nearest")):
        table.add_column(title, justify="right", no_wrap=True)
    for number, answer in enumerate(matrix.cases, 1):
        facts = matrix.facts[answer.case.name]
        near = "" if facts.nearest is None else f"{facts.nearest:.0f}×"
        name = Text(f"{number:2} {answer.case.name}")
        table.add_row(name, f"{facts.noise:.0e}", f"{facts.tolerance:.0e}", near)
    return table


def _key(matrix: Matrix) -> str:
    """Says what the signs of a matrix mean, of those that it has."""
    signs = {
        Outcome.WRONG_ANSWER: _("✕ wrong answer"),
        Outcome.RUNTIME_ERROR: _("E runtime error"),
        Outcome.TIME_LIMIT: _("T time limit"),
        Outcome.MEMORY_LIMIT: _("M memory limit"),
    }
    here = {verdict for row in matrix.verdicts.values() for verdict in row.values()}
    parts = [_("s sample"), _("· accepted"), *(signs[v] for v in signs if v in here)]
    return ", ".join(parts) + ". " + _("nearest: the nearest mistake, in tolerances.")


def _mark(verdict: Outcome | None) -> tuple[str, str]:
    """Sign and style of a verdict; nothing where a mistake did not run."""
    return MARKS.get(verdict, ("?", "green")) if verdict else ("", "")


def _finding(finding: Finding) -> str:
    words = _("  rule %(rule)d: %(where)s: %(text)s")
    where, text = (said(part, catalogue(chosen())) for part in (finding.where, finding.text))
    return words % {"rule": finding.rule, "where": where, "text": text}


def _warning(warning: Finding) -> str:
    words = _("  advice: %(where)s: %(text)s")
    where, text = (said(part, catalogue(chosen())) for part in (warning.where, warning.text))
    return words % {"where": where, "text": text}


def _not_fit(count: int) -> str:
    return ngettext("✕ not fit: %(count)d finding", "✕ not fit: %(count)d findings", count) % {
        "count": count
    }


def page(bank: Sequence[Fitness], mutants: Sequence[Row] = ()) -> str:
    """docs/bank.md: every problem with its cases, mistakes, kills, noise, tolerance and nearest
    mistake, and the mutants of its references as they were counted last.
    """
    lines = [
        "# The bank, measured",
        "",
        (
            "Written by `make verify`; do not edit. Noise is the spread of equally right"
            " evaluations around the float64 answer, the tolerance is measured from it, and"
            " *nearest* is the distance from the answer to the nearest mistake, in tolerances (at"
            " least 2, unless the mistake is slight; in one hidden case 10)."
        ),
        "",
        (
            "| problem | framework | cases (samples) | mistakes | killed | largest noise | largest"
            " tolerance | nearest mistake | fit |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for fitness in bank:
        lines += [_row(fitness, matrix) for matrix in fitness.matrices]
    if mutants:
        lines += ["", "## Mutants", "", *_mutants(bank, mutants)]
    for fitness in bank:
        for matrix in fitness.matrices:
            lines += ["", f"## {fitness.problem.slug}, {matrix.framework}", "", *_grid(matrix)]
        lines += [f"- rule {f.rule}: {f.where}: {f.text}" for f in fitness.findings]
    return "\n".join(lines) + "\n"


def _row(fitness: Fitness, matrix: Matrix) -> str:
    samples = sum(a.case.sample for a in matrix.cases)
    killed = len(matrix.verdicts) - len(matrix.survivors())
    facts = matrix.facts.values()
    near = min(((f.nearest, f.nearest_name) for f in facts if f.nearest is not None), default=None)
    cells = [
        fitness.problem.slug,
        str(matrix.framework),
        f"{len(matrix.cases)} ({samples})",
        str(len(matrix.verdicts)),
        str(killed),
        f"{max((f.noise for f in facts), default=0):.1e}",
        f"{max((f.tolerance for f in facts), default=0):.1e}",
        "" if near is None else f"{near[0]:.0f} × ({near[1]})",
        "yes" if fitness.fit else "no",
    ]
    return "| " + " | ".join(cells) + " |"


def _mutants(bank: Sequence[Fitness], mutants: Sequence[Row]) -> list[str]:
    digests = {fitness.problem.slug: fitness.problem.judging_digest for fitness in bank}
    counted = [each for each in mutants if each.problem in digests]
    lines = [
        (
            "Counted by `make mutants`. Each mutant is one small change of a reference."
            " *Equivalent*: accepted, and equal to the reference on every input from the declared"
            " domain that was tried. *Survivors*: accepted, and wrong there; each is listed. A row"
            " of a sample says how many mutants there are in all."
        ),
        "",
        "| problem | framework | mutants | refused | equivalent | survivors | version |",
        "|---|---|---|---|---|---|---|",
        *(_count(each, digests[each.problem]) for each in counted),
    ]
    refused, total = sum(each.refused for each in counted), sum(each.total for each in counted)
    lines += ["", f"Together {total}, of which {refused} are refused."]
    survivors = [f"- {e.problem}, {e.framework}: {s}" for e in counted for s in e.survivors]
    return [*lines, "", *survivors] if survivors else lines


def _count(row: Row, digest: str) -> str:
    version = "this" if digest.startswith(row.digest) else "an earlier one"
    judged = str(row.total) if row.out_of is None else f"{row.total} of {row.out_of}, at random"
    counts = (judged, row.refused, row.equivalent, len(row.survivors))
    return "| " + " | ".join(map(str, (row.problem, row.framework, *counts, version))) + " |"


def _grid(matrix: Matrix) -> list[str]:
    names = [a.case.name for a in matrix.cases]
    head = "| mistake | " + " | ".join(str(i + 1) for i in range(len(names))) + " |"
    rows = [
        f"| {name} | " + " | ".join(_mark(row.get(n))[0] for n in names) + " |"
        for name, row in matrix.verdicts.items()
    ]
    cases = "; ".join(
        f"{i + 1} {n}{' (sample)' if matrix.cases[i].case.sample else ''}"
        for i, n in enumerate(names)
    )
    return [head, "|" + "---|" * (len(names) + 1), *rows, "", f"Cases: {cases}."]
