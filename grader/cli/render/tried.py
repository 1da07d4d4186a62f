"""A submission beside the reference on inputs of one's own, on a terminal: `grade try`."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.text import Text

from grader.cli.render.summary import SIGNS
from grader.cli.render.tensors import arguments, compared
from grader.explore.own_input import Tried
from grader.findings.sentences import sentences
from grader.model import Outcome
from grader.verdict.translate import Translator


def text(tried: Tried, out: Console, translator: Translator) -> None:
    """Prints the inputs, what is expected and what came, and the verdict on them."""
    for part in _parts(tried, translator):
        out.print(part, highlight=False)


def _parts(tried: Tried, translator: Translator) -> Iterator[RenderableType]:
    yield arguments(tried.case, translator)
    yield Text()
    yield from compared(tried.outputs, translator)
    if tried.case.raises:
        due = translator.gettext("expected: the call raises %(error)s")
        yield Text(due % {"error": tried.case.raises}, style="dim")
    if tried.printed:
        title = translator.gettext("printed")
        yield Panel(Text(tried.printed.rstrip()), title=title, title_align="left")
    sign, colour = SIGNS[tried.verdict is Outcome.ACCEPTED]
    line = Text(f"{sign} {translator.outcome(tried.verdict)}", style=f"bold {colour}")
    told = sentences(tried.findings, translator.catalogue)
    yield line.append(f"  {told}" if told else "", "default")
