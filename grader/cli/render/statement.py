"""A statement for a terminal: formulas as plain text, the worked samples filled in from the
reference.
"""

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
import rich.box
import rich.table
from rich import markdown
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from grader.case import Case
from grader.cli.language import _
from grader.cli.render import formula
from grader.cli.render.lines import FIXED, wrapped
from grader.cli.render.sample import arguments, numbers, sample_title
from grader.errors import ProblemError
from grader.findings.text import T_
from grader.problem import SAMPLE, Problem
from grader.verdict.translate import Translator, translator

DISPLAY = re.compile(r"(?:\n\s*)?\$\$(.+?)\$\$(?:\s*\n)?", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+?)\$")
WHOLE = re.compile(r"`[^`\n]+`|\(\w+(?:, \w+)+\)")  # code, a shape
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
INDENT = 6
SHORT = 20  # columns: a formula, a piece of code or a shape up to this long is never broken

Samples = Sequence[tuple[Case, dict[str, np.ndarray]]]


class Prose:
    """Text that is broken where a line may end, in Chinese too."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield wrapped(self.text, options.max_width)


class Paragraph(markdown.Paragraph):
    """A paragraph, or an item of a list, as such text."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Prose(self.text)


class Table(markdown.TableElement):
    """A table without an empty line of its own above and below."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, rich.table.Table):
                table.box = rich.box.SIMPLE_HEAD
            yield table


class Markdown(markdown.Markdown):
    """Markdown whose paragraphs and tables are ours."""

    elements: ClassVar = {
        **markdown.Markdown.elements,
        "paragraph_open": Paragraph,
        "table_open": Table,
    }


class Formula:
    """A formula on lines of its own, as wide as there is room."""

    def __init__(self, source: str) -> None:
        self.source = source

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(
            "\n".join(formula.display(self.source, options.max_width)),
            no_wrap=True,
            overflow="fold",
        )


def render(
    problem: Problem,
    language: str,
    samples: Callable[[], Samples],
    words: Translator | None = None,
) -> RenderableType:
    """The statement in a language ("en", "zh"), ready to print; `words` for what is not of it.

    Raises `ProblemError` for a sample that no case has.
    """
    source = problem.statements.get(language, problem.statements["en"])
    parts: list[RenderableType] = []
    known: dict[str, tuple[Case, dict[str, np.ndarray]]] = {}
    for i, piece in enumerate(SAMPLE.split(source)):
        if i % 2 == 0:
            parts += prose(piece)
            continue
        if not problem.runnable:
            parts += [Text(), Text(_("(the example cannot be computed here)"), style="dim")]
            continue
        known = known or {case.name: (case, answer) for case, answer in samples()}
        if piece not in known:
            text = T_(
                "%(file)s: [[sample: %(case)s]] names no sample case; there are %(known)s",
                file=str(problem.folder / "statement.md"),
                case=piece,
                known=", ".join(known),
            )
            raise ProblemError(text)
        parts.append(_sample(*known[piece], words or translator(problem, language)))
    if problem.driver:
        parts += _driver(problem)
    return Group(*parts[1:])  # without the empty line before the title


def _driver(problem: Problem) -> list[RenderableType]:
    """The code that calls a solution, in each framework."""
    assert problem.driver is not None
    parts: list[RenderableType] = [
        *prose("## " + _("How your solution is called")),
        *prose(_called(problem)),
    ]
    for framework, source in problem.driver.sources.items():
        parts += [Text(f"\ndriver_{framework}.py", style="dim")]
        parts.append(program(source))
    return parts


def _called(problem: Problem) -> str:
    if problem.makes_objects:
        return _("`solution` holds what you define, and `make()` makes an object of your class.")
    return _("`solution` holds what you define.")


def program(source: str) -> RenderableType:
    """A program in colours."""
    return Padding(
        Syntax(source.strip(), "python", theme="ansi_light", word_wrap=True), (0, 0, 0, 2)
    )


def footer(problem: Problem) -> RenderableType:
    """The paper, the frameworks, and the command to begin with; a line may end between them, not in
    the command.
    """
    fixed = [
        part.replace(" ", FIXED)
        for part in (", ".join(problem.declared), f"grade start {problem.slug}")
    ]
    return Padding(Prose(Text("  ·  ".join((problem.source, *fixed)), style="dim")), (1, 0, 0, 0))


def prose(piece: str) -> list[RenderableType]:
    """Markdown with formulas, ready to print; an empty line stands before each part."""
    parts: list[RenderableType] = []
    for i, text in enumerate(DISPLAY.split(piece)):
        if i % 2:
            parts.append(Padding(Formula(text), (1, 0, 0, INDENT)))
        elif text.strip():
            whole = WHOLE.sub(lambda m: _whole(m[0]), INLINE.sub(lambda m: _inline(m[1]), text))
            parts += [Text(), Markdown(ROW.sub(lambda m: m[0].replace(FIXED, " "), whole))]
    return parts


def _inline(source: str) -> str:
    return re.sub(r"([*_\[\]<>`|])", r"\\\1", _whole(formula.inline(source)))


def _whole(text: str) -> str:
    return text.replace(" ", FIXED) if len(text) <= SHORT else text


def _sample(case: Case, answer: dict[str, np.ndarray], translator: Translator) -> RenderableType:
    parts: list[RenderableType] = []
    given = arguments(case, translator)
    if given:
        parts.append(given)
    for name, values in answer.items():
        parts.append(Text(name, style="bold"))
        parts.append(numbers(values))
    panel = Panel(
        Group(*parts),
        title=sample_title(case.name, translator),
        title_align="left",
        border_style="dim",
    )
    return Padding(panel, (1, 0, 0, 0))
