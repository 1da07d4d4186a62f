"""A statement for a terminal: formulas as plain text, the worked samples filled in from the reference."""

import re
from collections.abc import Callable, Sequence

import numpy as np
from pylatexenc.latex2text import LatexNodes2Text
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from grader.case import Case
from grader.errors import ProblemError
from grader.problem import Problem
from grader.report import arguments, numbers

SAMPLE = re.compile(r"^\[\[sample: (.+?)\]\]\s*$", re.MULTILINE)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+?)\$")
ENVIRONMENT = re.compile(r"\\begin\{(?:cases|aligned|array)\}(?:\{[^}]*\})?(.*?)\\end\{\w+\}", re.DOTALL)

Samples = Sequence[tuple[Case, dict[str, np.ndarray]]]


def render(problem: Problem, language: str, samples: Callable[[], Samples]) -> RenderableType:
    """The statement in a language ("en", "zh"), ready to print. Raises `ProblemError` for a sample that no case has."""
    source = problem.statements.get(language, problem.statements["en"])
    parts: list[RenderableType] = []
    known: dict[str, tuple[Case, dict[str, np.ndarray]]] = {}
    for i, piece in enumerate(SAMPLE.split(source)):
        if i % 2 == 0:
            parts += _markdown(piece)
            continue
        known = known or {case.name: (case, answer) for case, answer in samples()}
        if piece not in known:
            raise ProblemError(f"{problem.folder / 'statement.md'}: [[sample: {piece}]] names no sample case; there are {', '.join(known)}")
        parts.append(_sample(*known[piece]))
    return Group(*parts)


def _markdown(piece: str) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for i, text in enumerate(DISPLAY.split(piece)):
        if i % 2:
            parts.append(Padding(Text(plain(text), style="italic"), (1, 0, 1, 6)))
        elif text.strip():
            parts.append(Markdown(INLINE.sub(lambda m: _escaped(plain(m[1])), text)))
    return parts


def plain(formula: str) -> str:
    r"""LaTeX as one or more lines of text: `\frac{a}{b}` becomes `a/b`."""
    rows = ENVIRONMENT.sub(lambda m: "{ " + m[1].replace("\\\\", " ;  ").replace("&", " "), formula)
    found: str = LatexNodes2Text(math_mode="text").latex_to_text(rows.replace("\\tfrac", "\\frac").replace("\\dfrac", "\\frac"))
    return re.sub(r"[ \t\n]+", " ", found).strip()


def _escaped(text: str) -> str:
    return re.sub(r"([*_\[\]<>`|])", r"\\\1", text)


def _sample(case: Case, answer: dict[str, np.ndarray]) -> RenderableType:
    parts: list[RenderableType] = []
    given = arguments(case)
    if given:
        parts.append(given)
    for name, values in answer.items():
        parts.append(Text(name, style="bold"))
        parts.append(numbers(values))
    return Panel(Group(*parts), title=f"sample: {case.name}", title_align="left", border_style="dim")
