"""Where a tensor is wrong, and what it looks like instead, as a teacher would see it.

`where` finds which rows, heads or batches are wrong; `pattern` finds what kind of difference it is:
a constant factor (and which), a transposition, a permutation, rows that do not sum to 1. Both see
only the learner's tensor, the answer and the case's masks, and return nothing where nothing plain
can be said.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.findings.codes import Axis, Pattern, Place
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
SINGLE = 3e-7  # relative: what a step in float32 may leave
LARGEST_ROOT = 1e3  # beyond it, nearly every number is near some root
# of one value, only a whole factor up to this tells something, and only where few others are as
# near: any two numbers have a ratio
LARGEST_MULTIPLE, SURE = 64, 1e-4


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
        for found, place in [(partly, Place.MASK_HIDES_A_KEY), *_padded(mask, rows)]:
            if _exactly(rows, found):
                return detail(place, mask=name)
    return None


def _exactly(rows: np.ndarray, found: np.ndarray) -> bool:
    return bool(found.any() and not found.all() and (rows == found).all())


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
    found = [(after, Place.AFTER_HIDDEN_KEY), (~before, Place.FROM_HIDDEN_KEY)]
    return [(np.broadcast_to(at, rows.shape), place) for at, place in found]


def pattern(
    actual: np.ndarray,
    expected: np.ndarray,
    wrong: np.ndarray,
    tolerance: float,
    axes: tuple[str, ...] = (),
) -> Detail | None:
    """Every value is √8 times what it should be; it is the transpose of the answer; …

    Returns None when nothing fits.
    """
    if actual.dtype.kind == "b":
        if expected.dtype.kind != "b":
            return None
        return detail(Pattern.OPPOSITE) if wrong.all() else _moved(actual, expected, tolerance)
    if actual.dtype.kind != "f" or not (np.isfinite(actual).all() and np.isfinite(expected).all()):
        return None
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    if (
        actual.dtype == np.float64
        and tolerance < SINGLE
        and np.abs(a - e).max() <= SINGLE * max(1.0, float(np.abs(e).max()))
    ):
        return detail(Pattern.SINGLE_PRECISION)
    # a difference of huge numbers is infinite, and fits no pattern
    with np.errstate(over="ignore", invalid="ignore"):
        return next(_patterns(a, e, wrong, tolerance, axes), None)


def _patterns(
    a: np.ndarray, e: np.ndarray, wrong: np.ndarray, tolerance: float, axes: tuple[str, ...]
) -> Iterator[Detail]:
    if not a.any() and e.any():
        yield detail(Pattern.ALL_ZEROS)
    factor = _multiple(a.item(), e.item(), tolerance) if a.size == 1 else _factor(a, e, tolerance)
    if factor is not None:
        yield factor
    first = (a - e).flat[0] if a.size > 1 else 0.0
    if abs(first) > tolerance and np.abs((a - e) - first).max() <= 4 * tolerance:
        yield detail(Pattern.OFFSET, by=float(first))
    if (moved := _moved(a, e, tolerance)) is not None:
        yield moved
    if axes[-1:] == ("S",) and a.ndim >= 1 and a.shape[-1] > 1:
        yield from _row_sums(a, e)


def _factor(a: np.ndarray, e: np.ndarray, tolerance: float) -> Detail | None:
    big = np.abs(e) > max(1e3 * tolerance, 1e-9)
    if big.sum() < 2:
        return None
    # the surest guess; the median below only when it nearly fits
    at = np.unravel_index(int(np.abs(e).argmax()), e.shape)
    guess = float(a[at] / e[at])
    if np.abs(a - guess * e).max() > 32 * tolerance * max(1.0, abs(guess)):
        return None
    ratios = a[big] / e[big]
    factor = float(np.median(ratios))
    if (
        factor == 0
        or abs(factor - 1) < 1e-3
        or np.abs(a - factor * e).max() > 8 * tolerance * max(1.0, abs(factor))
    ):
        return None
    if abs(factor) < 1e-6:
        return detail(Pattern.NEXT_TO_NOTHING)
    return detail(Pattern.FACTOR, factor=factor, root=root(factor))


def _multiple(a: float, e: float, tolerance: float) -> Detail | None:
    """A value that is -1 times, n times or 1/n times the due one."""
    if min(abs(a), abs(e)) * SURE < tolerance:
        return None
    for ratio, whole in ((a / e, True), (e / a, False)):
        if not math.isfinite(ratio):
            return None
        n = round(ratio)
        if n not in (0, 1) and abs(n) <= LARGEST_MULTIPLE and abs(ratio / n - 1) < SURE:
            return detail(Pattern.MULTIPLE, factor=a / e, root="" if whole else root(a / e))
    return None


def root(factor: float) -> str:
    """`√8`, `-1/√8` or `1/8` for such a factor; "" for any other."""
    size, sign = abs(factor), "-" if factor < 0 else ""
    if not 1 / LARGEST_ROOT < size < LARGEST_ROOT:
        return ""
    for value, over in ((size, ""), (1 / size, "1/")):
        square = value * value
        if round(square) > 1 and abs(square - round(square)) < 1e-3 * square:
            found = math.isqrt(round(square))
            if found * found == round(square):
                return f"{sign}1/{found}" if over else ""
            return f"{sign}{over}√{round(square)}"
    return ""


def _moved(a: np.ndarray, e: np.ndarray, tolerance: float) -> Detail | None:
    def equal(x: np.ndarray) -> bool:
        return x.shape == e.shape and bool(
            np.abs(x.astype(np.float64) - e.astype(np.float64)).max() <= tolerance
        )

    if abs(float(a.sum()) - float(e.sum())) > 1.01 * a.size * tolerance + 1e-9 * float(
        np.abs(e).sum()
    ):
        return None  # every form below is an order of the same values
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and equal(np.swapaxes(a, -1, -2)):
        return detail(Pattern.TRANSPOSED)
    for axis, reverse, shifted in (
        (-1, Pattern.LAST_AXIS_REVERSED, Pattern.LAST_AXIS_SHIFTED),
        (-2, Pattern.ROWS_REVERSED, Pattern.ROWS_SHIFTED),
    ):
        if a.ndim >= -axis and a.shape[axis] > 1:
            if equal(np.flip(a, axis)):
                return detail(reverse)
            if any(equal(np.roll(a, step, axis)) for step in (1, -1)):
                return detail(shifted)
    if a.dtype.kind == "b" or a.size > 100_000:
        return None
    if (
        np.abs(np.sort(a, axis=None).astype(float) - np.sort(e, axis=None).astype(float)).max()
        <= tolerance
    ):
        return detail(Pattern.REORDERED)
    return None


def _row_sums(a: np.ndarray, e: np.ndarray) -> Iterator[Detail]:
    sums, due = a.sum(-1), e.sum(-1)
    if np.abs(sums - due).max() > 1e-3:
        if a.ndim >= 2 and np.abs(a.sum(-2) - 1).max() < 1e-3:
            yield detail(Pattern.COLUMNS_SUM_TO_ONE)
        elif np.allclose(due, 1, atol=1e-3):
            yield detail(Pattern.ROW_SUMS, least=float(sums.min()), most=float(sums.max()))
