"""Small tensors on a terminal, with the entries that are wrong marked."""

from collections.abc import Iterator, Sequence

import numpy as np
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from grader.case import Case
from grader.explore.arrays import Output
from grader.verdict.translate import Translator

SMALL = 64  # entries of a tensor that is still shown
DIGITS = 5
USUAL = ("float32", "int64", "bool")  # dtypes that are not said
MARK = "*"  # after a wrong entry, for terminals without colour


def tensor(array: np.ndarray, translator: Translator, wrong: np.ndarray | None = None) -> Text:
    """Returns a tensor's numbers in brackets, or its dtype and shape where it is large."""
    if array.size > SMALL:
        shape = {"dtype": array.dtype, "shape": array.shape}
        return Text(translator.gettext("%(dtype)s of shape %(shape)s") % shape)
    marks = np.zeros(array.shape, bool) if wrong is None else wrong
    cells = [_cell(value) for value in array.reshape(-1)]
    width = max((len(cell) for cell in cells), default=0)
    padded = np.array([cell.rjust(width) for cell in cells], object).reshape(array.shape)
    return Text("\n").join(_lines(padded, marks, MARK if marks.any() else ""))


def _cell(value: np.generic) -> str:
    return f"{value:.{DIGITS}g}" if isinstance(value, np.floating) else str(value)


def _lines(cells: np.ndarray, marks: np.ndarray, mark: str) -> Iterator[Text]:
    """The rows of the last axis, each with the brackets that open and close before and after it."""
    if cells.ndim == 0:
        yield _entry(cells.item(), bool(marks), mark)
        return
    rows = list(np.ndindex(cells.shape[:-1]))
    for row in rows:
        opened = _zeros_at_end(row, [0] * len(row))
        closed = _zeros_at_end(row, [n - 1 for n in cells.shape[:-1]])
        line = Text(" " * (cells.ndim - 1 - opened) + "[" * (opened + 1))
        entries = zip(cells[row], marks[row], strict=True)
        line.append_text(Text(" ").join(_entry(cell, bool(wrong), mark) for cell, wrong in entries))
        yield line.append("]" * (closed + 1))


def _zeros_at_end(row: Sequence[int], ends: Sequence[int]) -> int:
    """How many axes, from the last, stand at this end."""
    count = 0
    while count < len(row) and row[-1 - count] == ends[-1 - count]:
        count += 1
    return count


def _entry(cell: str, wrong: bool, mark: str) -> Text:
    return Text(cell + mark, style="bold red") if wrong else Text(cell + " " * len(mark))


def arguments(case: Case, translator: Translator) -> RenderableType:
    """Returns what a case passes: to the constructor, as parameters, and to the call."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, value in (*case.init.items(), *case.options.items()):
        table.add_row(Text(name, style="dim"), Text(repr(value)))
    for name, array in (*case.inputs.items(), *case.state.items()):
        table.add_row(Text(_titled(name, array, case), style="dim"), tensor(array, translator))
    earlier = translator.gettext("%(name)s of an earlier call")
    for name, array in case.before.items():
        table.add_row(Text(earlier % {"name": name}, style="dim"), tensor(array, translator))
    return table


def _titled(name: str, array: np.ndarray, case: Case) -> str:
    """The name of an argument, with what is not usual about its array."""
    dtype = "" if array.dtype.name in USUAL else array.dtype.name
    unusual = [word for word in (dtype, case.layout.get(name, "")) if word]
    return f"{name} ({', '.join(unusual)})" if unusual else name


def compared(outputs: Sequence[Output], translator: Translator) -> Iterator[RenderableType]:
    """Yields each output that differs, expected and got side by side; all, where none differs."""
    for output in [o for o in outputs if o.differs] or outputs:
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 3, 0, 0))
        table.add_column(translator.gettext("%(tensor)s: expected") % {"tensor": output.tensor})
        table.add_column(translator.gettext("yours"))
        nothing = Text(translator.gettext("nothing to show"))
        got = nothing if output.got is None else tensor(output.got, translator, output.wrong)
        table.add_row(tensor(output.expected, translator), got)
        yield table
