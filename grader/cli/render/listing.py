"""`grade list`: the problems in teaching order, and what is solved."""

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from grader.cli.language import _
from grader.findings.catalogue import N_
from grader.frameworks import INSTALL, TITLES, installed
from grader.problem import Problem

HEADINGS = ("", N_("problem"), N_("for"), N_("level"), N_("builds on"))
# the words of a problem's file that have a translation
WORDS = (
    N_("foundations"),
    N_("masks"),
    N_("heads"),
    N_("efficiency"),
    N_("easy"),
    N_("medium"),
    N_("hard"),
)


def listing(problems: Sequence[Problem], known: Mapping[str, str]) -> Table:
    """Returns the table. `known`: the best verdict so far, by slug."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    # never cut: they are copied
    widths = {
        "": 1,
        "problem": max((len(p.slug) for p in problems), default=0),
        "for": 11,
        "level": 6,
    }
    for title in HEADINGS:
        table.add_column(_(title), no_wrap=True, min_width=widths.get(title))
    track = ""
    for problem in problems:
        if problem.track != track:
            track = problem.track
            table.add_row("", f"[bold]{_(track)}[/bold]")
        table.add_row(*_row(problem, known.get(problem.slug)))
    return table


def _row(problem: Problem, state: str | None) -> tuple[str, ...]:
    sign = "[green]✓[/green]" if state == "accepted" else "[yellow]…[/yellow]" if state else " "
    frameworks = [f"({f})" if f in problem.missing else str(f) for f in problem.frameworks]
    needs = ", ".join(problem.requires)
    return sign, problem.slug, " ".join(frameworks), _(problem.difficulty), needs


def missing(problems: Sequence[Problem]) -> Iterator[str]:
    """Yields what is said below problems when a framework of theirs is not installed here."""
    here = ", ".join(TITLES[framework] for framework in installed())
    for framework in dict.fromkeys(f for problem in problems for f in problem.missing):
        words = _(
            "(%(framework)s): %(title)s is not installed here, and what is written in it cannot be"
            " judged; %(here)s is. Install it: %(command)s"
        )
        yield words % {
            "framework": framework,
            "title": TITLES[framework],
            "here": here,
            "command": INSTALL,
        }
