"""What `verify` found, for a person: the kill matrix in a terminal, and the whole bank as a
Markdown page.
"""

from collections.abc import Sequence

from rich.console import Console
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


def show(found: Fitness, console: Console) -> None:
    """The matrices of one problem, then the broken rules."""
    for matrix in found.matrices:
        console.print(_table(found, matrix), highlight=False)
    for finding in found.findings:
        console.print(
            Text(_finding(finding), style="red"),
            highlight=False,
        )
    for warning in found.warnings:
        console.print(Text(_warning(warning), style="yellow"), highlight=False)
    sign = (
        Text(
            _("✓ nothing wrong in this part") if found.partial else _("✓ fit to use"), "bold green"
        )
        if found.fit
        else Text(_not_fit(len(found.findings)), "bold red")
    )
    console.print(Text(f"{found.problem.slug}: ").append_text(sign), highlight=False)


def _table(found: Fitness, matrix: Matrix) -> Table:
    title = _("%(problem)s, %(framework)s: which case kills which mistake")
    table = Table(
        title=title % {"problem": found.problem.slug, "framework": matrix.framework},
        title_justify="left",
        box=None,
        padding=(0, 1, 0, 0),
    )
    table.add_column(_("mistake"), style="dim")
    for i, answer in enumerate(matrix.cases):
        table.add_column(f"{'s' if answer.case.sample else ''}{i + 1}", justify="center")
    for name, row in matrix.verdicts.items():
        table.add_row(name, *(Text(*_mark(row.get(a.case.name))) for a in matrix.cases))
    for label, value in ((_("noise"), "noise"), (_("tolerance"), "tolerance")):
        table.add_row(
            Text(label, "italic"),
            *(f"{getattr(matrix.facts[a.case.name], value):.0e}"[:5] for a in matrix.cases),
        )
    nearest = (matrix.facts[a.case.name].nearest for a in matrix.cases)
    table.add_row(
        Text(_("nearest"), "italic"), *("" if n is None else f"{n:.0f}×" for n in nearest)
    )
    legend = "  ".join(f"{i + 1} {a.case.name}" for i, a in enumerate(matrix.cases))
    table.caption, table.caption_justify = f"{_key(matrix)}\n{legend}", "left"
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
    for found in bank:
        lines += [_row(found, matrix) for matrix in found.matrices]
    if mutants:
        lines += ["", "## Mutants", "", *_mutants(bank, mutants)]
    for found in bank:
        for matrix in found.matrices:
            lines += ["", f"## {found.problem.slug}, {matrix.framework}", "", *_grid(matrix)]
        lines += [f"- rule {f.rule}: {f.where}: {f.text}" for f in found.findings]
    return "\n".join(lines) + "\n"


def _row(found: Fitness, matrix: Matrix) -> str:
    samples = sum(a.case.sample for a in matrix.cases)
    killed = len(matrix.verdicts) - len(matrix.survivors())
    facts = matrix.facts.values()
    near = min(((f.nearest, f.nearest_name) for f in facts if f.nearest is not None), default=None)
    cells = [
        found.problem.slug,
        str(matrix.framework),
        f"{len(matrix.cases)} ({samples})",
        str(len(matrix.verdicts)),
        str(killed),
        f"{max((f.noise for f in facts), default=0):.1e}",
        f"{max((f.tolerance for f in facts), default=0):.1e}",
        "" if near is None else f"{near[0]:.0f} × ({near[1]})",
        "yes" if found.fit else "no",
    ]
    return "| " + " | ".join(cells) + " |"


def _mutants(bank: Sequence[Fitness], mutants: Sequence[Row]) -> list[str]:
    digests = {found.problem.slug: found.problem.judging_digest for found in bank}
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
