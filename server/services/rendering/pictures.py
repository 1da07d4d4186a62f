"""The pictures of a sample: which tensors are drawn, and each matrix of them as heat maps.

`figures/` draws them; a picture needs no script.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from markupsafe import Markup

from server.messages import Message, with_values
from server.services.rendering.figures.heat import Matrix, heat

Say = Callable[[Message], str]

LARGEST_SIDE = 16  # rows or columns of a picture
MOST_PANES = 16  # heads and batches


@dataclass(frozen=True, slots=True)
class Pane:
    """One matrix of a tensor (one head of one batch), as up to three pictures beside each other."""

    title: str  # "" for a tensor that is one matrix; else "head 1", "batch 1, head 2"
    figures: tuple[tuple[str, Markup], ...]  # (yours | expected | difference, the SVG)


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn of one tensor of a sample."""

    tensor: str
    panes: tuple[Pane, ...]


def pictures(sample: dict[str, Any], say: Say = str) -> list[Picture]:
    """The pictures of a judged sample (`samples.result_data`) or of a statement's
    (`samples.sample_data`); `say` makes their words in the reader's language.
    """
    return [Picture(name, tuple(_panes(sample, name, say))) for name in drawn(sample)]


def drawn(sample: dict[str, Any]) -> list[str]:
    """Which tensors are worth a picture: weights and scores by name, else a matrix that is all that
    is returned.
    """
    expected = sample.get("expected", {})
    fit = [name for name, tensor in expected.items() if _fits(tensor)]
    named = [name for name in fit if "weights" in name and "." not in name]
    others = [name for name in fit if name in ("scores", "scaled", "mask", "bias")]
    only = [name for name in fit if len(expected) == 1 and len(expected[name]["shape"]) >= 2]
    return named + others or only


def _fits(tensor: dict[str, Any]) -> bool:
    shape = tensor["shape"]
    if "data" not in tensor or not 1 <= len(shape) <= 4 or 0 in shape:
        return False
    return int(max(shape[-2:])) <= LARGEST_SIDE and math.prod(shape[:-2]) <= MOST_PANES


def _panes(sample: dict[str, Any], name: str, say: Say) -> Iterator[Pane]:
    expected = sample["expected"][name]
    shape = expected["shape"]
    mine = sample.get("got", {}).get(name)
    both = mine is not None and mine["shape"] == shape and "data" in mine
    difference = sample.get("difference", {}).get(name)
    axes = sample.get("axes", {}).get(name, ())
    # a value that nothing is compared with has its name alone
    due = name if sample.get("plain") else say(Message("%(tensor)s, expected", tensor=name))
    rows, columns = _labels(sample["labels"], shape[-2:] if len(shape) > 1 else [1, *shape])
    for index in product(*(range(n) for n in shape[:-2])):
        figures, title = [], _title(index, axes, say)
        said = say(Message(", ")) + title if title else ""
        if both and mine is not None:
            figures.append(
                (
                    "yours",
                    heat(
                        _at(mine["data"], index),
                        rows,
                        columns,
                        say(Message("%(tensor)s, yours", tensor=name)) + said,
                    ),
                )
            )
        figures.append(
            (
                "expected",
                heat(_at(expected["data"], index), rows, columns, due + said),
            )
        )
        if both and difference is not None and "data" in difference:
            figures.append(
                (
                    "difference",
                    heat(
                        _at(difference["data"], index),
                        rows,
                        columns,
                        say(Message("%(tensor)s, difference", tensor=name)) + said,
                        signed=True,
                    ),
                )
            )
        yield Pane(title, tuple(figures))


NAMES = {
    "B": Message("batch %(number)s", number=""),
    "H": Message("head %(number)s", number=""),
    "G": Message("group %(number)s", number=""),
}


def _title(index: tuple[int, ...], axes: Sequence[str], say: Say) -> str:
    """Which matrix of a tensor: its leading axes by what the problem's letters stand for, else `[0,
    1]`.
    """
    letters = axes[: len(index)]
    if len(axes) != len(index) + 2 or not all(letter in NAMES for letter in letters):
        return f"[{', '.join(map(str, index))}]" if index else ""
    return say(Message(", ")).join(
        say(with_values(NAMES[letter], {"number": str(i + 1)}))
        for letter, i in zip(letters, index, strict=True)
    )


def _at(data: Any, index: tuple[int, ...]) -> Matrix:
    for i in index:
        data = data[i]
    return data if isinstance(data[0], list) else [data]


def _labels(labels: Sequence[str], shape: Sequence[int]) -> tuple[list[str], list[str]]:
    """Names of rows and columns: the tokens where their number fits, else numbers."""
    rows, columns = shape
    named = [
        list(labels) if len(labels) == n else [str(i + 1) for i in range(n)]
        for n in (rows, columns)
    ]
    return named[0] if rows > 1 else [""], named[1]
