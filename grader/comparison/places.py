"""Where a tensor is wrong, as a teacher would say it: which rows, heads or batches.

`where` sees which values are wrong and the case's masks, and returns nothing where nothing plain
can be said.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.findings.codes import Axis, Place
from grader.findings.finding import Detail, detail

NAMES = {
    "B": Axis.BATCH,
    "H": Axis.HEAD,
    "L": Axis.ROW,
    "n": Axis.ROW,
    "b": Axis.ROW,
    "S": Axis.KEY,
    "D": Axis.FEATURE,
    "E": Axis.FEATURE,
    "Dv": Axis.FEATURE,
    "d": Axis.FEATURE,
}
MANY = 4


@dataclass(frozen=True, slots=True)
class Context:
    """What the words may refer to: sizes by letter, and the boolean masks of the case (True = may
    attend).
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    masks: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Name:
    """What an axis is called; `number` where it has no letter that tells."""

    axis: Axis
    number: int | None = None


def where(
    wrong: np.ndarray, axes: tuple[str, ...] = (), context: Context | None = None
) -> tuple[Detail, ...]:
    """Head 1; every row but the first; …

    Returns one place for each axis on which something plain can be said, or one place by a mask.
    """
    if wrong.ndim == 0 or wrong.all() or not wrong.any():
        return ()
    names = [_name(axes, i, wrong.ndim) for i in range(wrong.ndim)]
    hidden = _hidden_rows(wrong, names, context)
    if hidden:
        return (hidden,)
    told = []
    for axis in range(wrong.ndim):
        others = tuple(i for i in range(wrong.ndim) if i != axis)
        hit = np.asarray(wrong.any(axis=others) if others else wrong)
        place = _which(hit, names[axis])
        if place:
            told.append(place)
    return tuple(told)


def _name(axes: tuple[str, ...], axis: int, ndim: int) -> Name:
    if len(axes) == ndim:
        if axes[axis] in axes[:axis]:
            return Name(Axis.COLUMN)
        known = NAMES.get(axes[axis])
        return Name(known) if known else Name(Axis.INDEX, axis)
    if ndim == 1:
        return Name(Axis.INDEX)
    if axis < ndim - 2:
        return Name(Axis.INDEX, axis)
    return Name(Axis.ROW if axis == ndim - 2 else Axis.COLUMN)


def _which(hit: np.ndarray, name: Name) -> Detail | None:
    """Which positions along one axis are hit: row 2, every head but the first, rows 3 to 6."""
    n, at = hit.size, [int(i) for i in np.flatnonzero(hit)]
    of = {"axis": str(name.axis), "number": name.number}
    count, first, last = len(at), at[0], at[-1]
    if count == n:
        return None
    if count == 1:
        return detail(Place.ONLY if n > 2 else Place.ONE_OF_TWO, **of, at=first)
    if count == n - 1:
        return _all_but(int(np.flatnonzero(~hit)[0]), n, of)
    if last - first + 1 == count:
        if last == n - 1:
            return detail(Place.FROM, **of, at=first)
        return detail(Place.RANGE, **of, first=first, last=last)
    steps = set(np.diff(at).tolist())
    if count > 2 and len(steps) == 1:
        return detail(Place.EVERY_NTH, **of, step=steps.pop(), at=first)
    if count <= MANY:
        return detail(Place.LIST, **of, positions=tuple(at))
    return detail(Place.SHARE, **of, count=count, total=n)


def _all_but(right: int, n: int, of: Mapping[str, Any]) -> Detail:
    if right == 0:
        return detail(Place.ALL_BUT_FIRST, **of)
    if right == n - 1:
        return detail(Place.ALL_BUT_LAST, **of)
    return detail(Place.ALL_BUT, **of, at=right)


def _hidden_rows(wrong: np.ndarray, names: list[Name], context: Context | None) -> Detail | None:
    """Do the wrong rows coincide with what a mask does?"""
    if context is None or wrong.ndim < 2:
        return None
    rows = np.asarray(wrong.any(axis=-1))
    for name, given in context.masks.items():
        mask = _aligned(given, wrong, names)
        if mask is None:
            continue
        empty = np.broadcast_to(~mask.any(axis=-1), rows.shape)
        partly = np.broadcast_to(~mask.all(axis=-1), rows.shape)
        if _exactly(rows, empty):
            return detail(Place.MASK_LEAVES_NO_KEY, mask=name)
        if (
            wrong.shape[-1] == mask.shape[-1]
            and not (wrong & np.broadcast_to(mask, wrong.shape)).any()
        ):
            return detail(Place.HIDDEN_KEYS, mask=name)
        for hidden, place in [(partly, Place.MASK_HIDES_A_KEY), *_padded(mask, rows)]:
            if _exactly(rows, hidden):
                return detail(place, mask=name)
    return None


def _exactly(rows: np.ndarray, hidden: np.ndarray) -> bool:
    return bool(hidden.any() and not hidden.all() and (rows == hidden).all())


def _aligned(mask: np.ndarray, wrong: np.ndarray, names: list[Name]) -> np.ndarray | None:
    """The mask with its batch, head and row axes where those of the tensor are, so that its rows
    broadcast; None when they cannot.

    A mask of (S), (B, S) or (B, L, S) is for everything that it has no axis of; an axis of heads of
    size 1 may be missing in the tensor.
    """
    mask = np.atleast_2d(mask)
    if mask.ndim < wrong.ndim and names[0].axis is Axis.BATCH and mask.shape[0] == wrong.shape[0]:
        mask = mask.reshape(mask.shape[0], *(1,) * (wrong.ndim - mask.ndim), *mask.shape[1:])
    if mask.ndim == wrong.ndim + 1 and mask.shape[1] == 1:
        mask = mask[:, 0]
    rows = wrong.shape[:-1]
    fits = mask.ndim <= wrong.ndim and all(
        m in (1, n) for m, n in zip(mask.shape[-2::-1], rows[::-1], strict=False)
    )
    return mask if fits else None


def _padded(mask: np.ndarray, rows: np.ndarray) -> list[tuple[np.ndarray, Place]]:
    """Rows at and after the first hidden key, where rows and keys are the same tokens and the mask
    is the same for every row.
    """
    if mask.ndim < 2 or mask.shape[-2] != 1 or mask.shape[-1] != rows.shape[-1]:
        return []
    # (..., S): no key up to here is hidden
    before = np.logical_and.accumulate(mask[..., 0, :], axis=-1)
    after = ~np.concatenate([np.ones_like(before[..., :1]), before[..., :-1]], axis=-1)
    candidates = [(after, Place.AFTER_HIDDEN_KEY), (~before, Place.FROM_HIDDEN_KEY)]
    return [(np.broadcast_to(at, rows.shape), place) for at, place in candidates]
