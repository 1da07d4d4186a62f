"""What a tensor of a program is to one of the reference: the same, transposed, √8 times too large.

Only values are compared, never code. Where a score is hidden, programs write -inf, -1e9 or the
least number that there is: all count as hidden.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

LOOSE = {True: 4e-6, False: 1e-4}  # of the largest value; by whether both are float64
HIDDEN = -1e8  # a score below it is hidden
MOST_AXES = 5
SHARE = 0.3  # of the entries: what is equal in fewer is another tensor
BOOLEAN_SHARE = 0.7


class Relation(StrEnum):
    """How a tensor relates to one of the reference."""

    SAME = "same"
    TRANSPOSED = "transposed"
    AXES_MOVED = "axes_moved"
    RESHAPED = "reshaped"
    PART = "part"  # a row, a head or a block of it
    # on the way to it: a softmax does not change, or what is divided by its sum
    ROW_OFFSET = "row_offset"
    ROW_FACTOR = "row_factor"
    # wrong
    FACTOR = "factor"
    OFFSET = "offset"
    OPPOSITE = "opposite"
    OTHERS_HIDDEN = "others_hidden"
    PARTLY = "partly"
    REORDERED = "reordered"
    ROUNDED = "rounded"
    CHANGED_INPUT = "changed_input"
    OTHER_VALUE = "other_value"  # a number of the same name
    STILL = "still"  # it should be the next one by now
    ROWS_SCALED = "rows_scaled"  # on the way to it, and nothing right is made of it
    EXCHANGED = "exchanged"  # the values of another step
    DETACHED = "detached"  # no gradient flows back any more
    RAISED = "raised"
    RETURNED = "returned"  # every step is right, and what is returned is not
    SLIGHT = "slight"  # every step is right to four digits, and so is the result
    UNKNOWN = "unknown"


LAYOUT = (
    Relation.SAME,
    Relation.TRANSPOSED,
    Relation.AXES_MOVED,
    Relation.RESHAPED,
    Relation.PART,
)


class Tensor:
    """A tensor in float64, hidden scores as -inf; what is needed more than once is kept."""

    def __init__(self, values: np.ndarray) -> None:
        self.exact = values.dtype == np.float64
        self.boolean = values.dtype.kind == "b"
        wide = values.astype(np.float64)
        self.values = np.where(wide <= HIDDEN, -np.inf, wide)
        self.shape, self.size = values.shape, values.size

    @cached_property
    def scale(self) -> float:
        """The largest finite value."""
        finite = self.values[np.isfinite(self.values)]
        return float(np.abs(finite).max(initial=0.0))

    @cached_property
    def squeezed(self) -> np.ndarray:
        """Without axes of one."""
        return np.squeeze(self.values)

    @cached_property
    def telling(self) -> bool:
        """Can it be recognised? A constant is the same as any other constant."""
        return self.size > 1 and bool((self.values != self.values.flat[0]).any())

    @cached_property
    def single(self) -> bool:
        """Has it the digits of float32 only?"""
        with np.errstate(over="ignore"):
            rounded = self.values.astype(np.float32).astype(np.float64)
        return not self.exact or bool(close(rounded, self.values, 0.0).all())

    def opposite_of(self, other: "Tensor") -> bool:
        """Is each of its booleans the other one?"""
        both = self.boolean and other.boolean and self.shape == other.shape
        return both and bool((self.values != other.values).all())

    def part_of(self, other: "Tensor") -> bool:
        """Is each of its values one of the other's?"""
        return bool(np.isin(self.values, other.values).all())

    @cached_property
    def ordered(self) -> np.ndarray:
        """All values, in order."""
        return np.sort(self.values, axis=None)


def close(a: np.ndarray, e: np.ndarray, allowed: float) -> np.ndarray:
    """Where two arrays of one shape are equal; infinities and NaN only to themselves."""
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(a - e) <= allowed) | (a == e) | (np.isnan(a) & np.isnan(e)))


def allowed(one: Tensor, due: Tensor) -> float:
    """How far entries of a tensor may be from those of the reference."""
    return LOOSE[one.exact and due.exact] * max(due.scale, 1e-30)


def layout(one: Tensor, due: Tensor) -> Relation | None:
    """How the axes of a tensor with the same values lie; None where the values are others."""
    margin = allowed(one, due)
    if one.size != due.size or not close(one.ordered, due.ordered, margin).all():
        return None
    a, e = one.values, due.values
    if tuple(n for n in a.shape if n != 1) == tuple(n for n in e.shape if n != 1):
        if close(a.ravel(), e.ravel(), margin).all():
            return Relation.SAME
    elif close(a.ravel(), e.ravel(), margin).all():
        return Relation.RESHAPED
    return None if one.boolean else _moved(np.squeeze(a), np.squeeze(e), margin)


def _moved(a: np.ndarray, e: np.ndarray, margin: float) -> Relation | None:
    """The same values with axes in another order, or split and merged besides."""
    if not 2 <= a.ndim <= MOST_AXES:
        return None
    last_two = (*range(a.ndim - 2), a.ndim - 1, a.ndim - 2)
    for order in itertools.permutations(range(a.ndim)):
        moved = a.transpose(order)
        if close(moved.ravel(), e.ravel(), margin).all():
            plain = order == last_two and moved.shape == e.shape
            return Relation.TRANSPOSED if plain else Relation.AXES_MOVED
    return None


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a tensor is nearly one of the reference, with the number that tells."""

    relation: Relation
    by: float = 0.0
    wrong: np.ndarray | None = None  # the entries that differ


def likeness(one: Tensor, due: Tensor) -> Likeness | None:
    """The plainest way in which a tensor is nearly one of the reference; None where it is not."""
    if not one.telling or not due.telling or one.size != due.size:
        return None
    with np.errstate(all="ignore"):
        return next(_likenesses(one, due), None)


def on_the_way(one: Tensor, due: Tensor) -> Relation | None:
    """Is it the reference's tensor but for a number for each row?"""
    if one.shape != due.shape or not one.shape or one.shape[-1] < 2 or not due.telling:
        return None
    with np.errstate(all="ignore"):
        a, e = one.values, due.values
        if one.telling and (np.isfinite(a) == np.isfinite(e)).all() and not np.isnan(a).any():
            gap = np.where(np.isfinite(e), a - e, np.nan)
            if (
                np.isfinite(gap).sum() > gap[..., 0].size
                and 2 * _rows_equal(a, e) <= gap[..., 0].size
            ):
                margin = max(allowed(one, due), LOOSE[False] * one.scale)
                if _spread(gap) <= margin < 1e-2 * _spread(np.where(np.isfinite(e), e, np.nan)):
                    return Relation.ROW_OFFSET
                if _row_factor(a, e):
                    return Relation.ROW_FACTOR
    return None


def _rows_equal(a: np.ndarray, e: np.ndarray) -> int:
    margin = LOOSE[False] * float(np.abs(e[np.isfinite(e)]).max(initial=0.0))
    return int(close(a, e, margin).all(-1).sum())


def _spread(gap: np.ndarray) -> float:
    least = np.where(np.isnan(gap), np.inf, gap).min(-1)
    most = np.where(np.isnan(gap), -np.inf, gap).max(-1)
    return float(np.where(most >= least, most - least, 0).max(initial=0.0))


def _row_factor(a: np.ndarray, e: np.ndarray) -> bool:
    if not np.isfinite(a).all() or not (np.count_nonzero(e, -1) > 1).any():
        return False
    at = np.abs(e).argmax(-1)[..., None]
    factor = np.take_along_axis(a, at, -1) / np.take_along_axis(e, at, -1)
    factor = np.where(np.isfinite(factor), factor, 0.0)
    if ((factor == 0) & e.any(-1, keepdims=True)).any():
        return False
    rows = np.abs(a).max(-1, keepdims=True)
    return bool(a.any() and (np.abs(a - factor * e) <= LOOSE[False] * rows + 1e-30).all())


def _likenesses(one: Tensor, due: Tensor) -> Iterator[Likeness]:
    a, e, margin = one.values, due.values, allowed(one, due)
    if one.shape == due.shape:
        if one.boolean and due.boolean and (a != e).all():
            yield Likeness(Relation.OPPOSITE)
        elif not one.boolean and not due.boolean:
            yield from _scaled(a, e, margin)
        yield from _hidden(a, e, margin)
    elif not one.boolean and a.ndim == e.ndim == 2:
        yield from _scaled(a.T, e, margin) if a.T.shape == e.shape else ()
    if close(one.ordered, due.ordered, margin).all() and len(np.unique(one.ordered)) > 2:
        yield Likeness(Relation.REORDERED)
    if one.shape == due.shape:
        equal = close(a, e, margin)
        counted = np.isfinite(e) & (e != 0) if not one.boolean else np.ones(e.shape, bool)
        share = equal[counted].mean() if counted.any() else 0.0
        if share >= (BOOLEAN_SHARE if one.boolean or due.boolean else SHARE) and not equal.all():
            yield Likeness(Relation.PARTLY, float(share), ~equal)


def _scaled(a: np.ndarray, e: np.ndarray, margin: float) -> Iterator[Likeness]:
    finite = np.isfinite(e)
    if not (np.isfinite(a) == finite).all() or finite.sum() < 2:
        return
    a, e = a[finite], e[finite]
    at = int(np.abs(e).argmax())
    if e[at] == 0 or np.ptp(e) == 0:
        return
    factor = float(a[at] / e[at])
    if 1e-6 < abs(factor) < 1e6 and np.abs(a - factor * e).max() <= 4 * margin * abs(factor):
        yield Likeness(Relation.FACTOR, factor)
    by = float((a - e)[0])
    if abs(by) > 8 * margin and np.abs(a - e - by).max() <= 4 * max(margin, 1e-6 * abs(by)):
        yield Likeness(Relation.OFFSET, by)


def _hidden(a: np.ndarray, e: np.ndarray, margin: float) -> Iterator[Likeness]:
    """The same where both are seen, while other entries are hidden."""
    ours, due = np.isneginf(a), np.isneginf(e)
    seen = ~ours & ~due
    telling = (ours != due).any() and seen.sum() > 1 and np.ptp(e[seen]) > 0
    if telling and close(a[seen], e[seen], margin).all():
        yield Likeness(Relation.OTHERS_HIDDEN, wrong=ours != due)
