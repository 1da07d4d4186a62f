"""What the page of a solution shows: one's own code beside the reference, and other right ones."""

from dataclasses import dataclass

from flask import request

from grader.model import Framework
from grader.problem import Problem
from server.models.submissions import Submission
from server.services import explorations, statistics
from server.services.rendering import statement
from server.services.rendering.alignment import aligned
from server.services.rendering.diff import DiffLine
from server.web import lookups
from server.web.access import me
from server.web.context import reading, service
from server.web.panels.curve import CurveView, curve_view
from server.web.texts import language, words_of

OTHERS = 2  # right solutions in another style


@dataclass(frozen=True, slots=True)
class Row:
    """Two lines that stand beside each other, coloured."""

    line: DiffLine
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Other:
    """Another right solution: its name, empty for the reference of another framework."""

    name: str
    framework: Framework
    source: str


@dataclass(frozen=True, slots=True)
class View:
    """A solution in one framework. Without a submission of one's own there are no rows."""

    problem: Problem
    framework: Framework
    reference: str
    why: tuple[str, ...]  # HTML that is sanitised
    own: Submission | None
    accepted: bool
    rows: tuple[Row, ...]
    curve: CurveView | None  # what was measured of this program in the last minutes
    others: tuple[Other, ...]
    following: Problem | None


def solution_of(problem: Problem) -> View:
    """Returns the solution in the framework that the address names, else in that of the latest
    accepted submission.
    """
    framework = _framework(problem)
    good = statistics.accepted(reading(), me().id, problem.slug, framework)
    own = good or lookups.latest(problem, framework)
    reference = problem.references[framework].strip("\n")
    return View(
        problem=problem,
        framework=framework,
        reference=reference,
        why=_why(problem.slug),
        own=own,
        accepted=good is not None,
        rows=_rows(own.source.strip("\n"), reference) if own and own.source.strip("\n") else (),
        curve=_curve(good),
        others=_others(problem, framework),
        following=_following(problem),
    )


def _framework(problem: Problem) -> Framework:
    wanted = request.args.get("framework", "")
    if wanted not in problem.frameworks:
        row = statistics.accepted(reading(), me().id, problem.slug) or lookups.latest(problem)
        wanted = row.framework if row is not None else ""
    return next((f for f in problem.frameworks if f == wanted), problem.frameworks[0])


def _rows(mine: str, reference: str) -> tuple[Row, ...]:
    left, right = statement.python_lines(mine), statement.python_lines(reference)
    return tuple(
        Row(
            line,
            left[line.left_number - 1] if line.left_number else "",
            right[line.right_number - 1] if line.right_number else "",
        )
        for line in aligned(mine, reference).lines
    )


def _why(slug: str) -> tuple[str, ...]:
    text = service().lessons.why(slug, language())
    return statement.markdown_html((text,)) if text else ()


def _curve(good: Submission | None) -> CurveView | None:
    result = explorations.last_curve(reading(), good) if good is not None else None
    return curve_view(result) if result is not None else None


def _others(problem: Problem, framework: Framework) -> tuple[Other, ...]:
    """Those in the same framework first: they differ in style alone."""
    words = words_of(problem.slug)
    others = [Other(each.name, each.framework, words.program(each)) for each in problem.right]
    others.sort(key=lambda other: other.framework is not framework)
    also = [Other("", f, text) for f, text in problem.references.items() if f is not framework]
    return tuple([*others, *also][:OTHERS])


def _following(problem: Problem) -> Problem | None:
    mine = statistics.standings(reading(), me().id)
    return statistics.following(lookups.problems(), problem.slug, mine)
