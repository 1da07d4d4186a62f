"""The numbers of a sample or a public twin, for a terminal."""

import numpy as np
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from grader.case import Case
from grader.model import CaseResult
from grader.verdict.translate import ENGLISH, Translator

SMALL = 64  # entries of a tensor that is still shown


def sample_title(name: str, translator: Translator) -> str:
    """The name of a sample, said to be one."""
    return translator.gettext("sample: %(case)s") % {"case": translator.case(name)}


def sample(result: CaseResult, translator: Translator = ENGLISH) -> RenderableType:
    """A sample's or a public twin's inputs, and each tensor expected and got side by side."""
    assert result.case is not None
    title = (
        sample_title(result.name, translator)
        if result.sample
        else translator.gettext("public inputs: %(case)s") % {"case": translator.case(result.name)}
    )
    note = translator.note(result.name, result.note)
    parts: list[RenderableType] = [Text(f"\n{title}", style="bold"), Text(note, style="dim")]
    given = arguments(result.case, translator)
    if given:
        parts.append(given)
    for name, expected in result.expected.items():
        got = result.got.get(name)
        if expected.size > SMALL:
            continue
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 3, 0, 0))
        table.add_column(translator.gettext("%(tensor)s: expected") % {"tensor": name})
        table.add_column(translator.gettext("got"))
        table.add_row(
            numbers(expected),
            numbers(got)
            if got is not None and got.size <= SMALL
            else translator.gettext("nothing to show"),
        )
        parts.append(table)
    if result.printed:
        printed = Text(result.printed[:2000].rstrip())
        parts.append(
            Panel(
                printed, title=translator.gettext("printed"), title_align="left", border_style="dim"
            )
        )
    return Group(*parts)


def arguments(case: Case, translator: Translator = ENGLISH) -> RenderableType | None:
    """A sample's arguments in a table: of the constructor, the parameters, of the call.

    None when it has none.
    """
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, value in case.init.items():
        table.add_row(Text(name, style="dim"), repr(value))
    for name, array in (*case.state.items(), *case.inputs.items()):
        shape = {"dtype": array.dtype, "shape": array.shape}
        large = translator.gettext("%(dtype)s of shape %(shape)s") % shape
        table.add_row(Text(name, style="dim"), numbers(array) if array.size <= SMALL else large)
    for name, value in case.options.items():
        table.add_row(Text(name, style="dim"), repr(value))
    return table if table.row_count else None


def numbers(array: np.ndarray) -> Text:
    """A small tensor, to four digits; a text as it is."""
    if array.dtype.kind == "U":
        return Text(str(array))
    return Text(
        np.array2string(
            array, precision=4, suppress_small=True, max_line_width=72, floatmode="maxprec"
        )
    )
