"""What a wrong tensor looks like instead, as a teacher would see it.

`pattern` finds what kind of difference it is: a constant factor (and which), a transposition, a
permutation, rows that do not sum to 1. It sees only the learner's tensor and the answer, and
returns nothing where nothing plain can be said.
"""

import math
from collections.abc import Iterator

import numpy as np

from grader.findings.codes import Pattern
from grader.findings.finding import Detail, detail

SINGLE = 3e-7  # relative: what a step in float32 may leave
LARGEST_ROOT = 1e3  # beyond it, nearly every number is near some root
NEAR_SQUARE = 0.02  # by which a square may miss a whole number: most numbers miss it by more
# of one value, only a whole factor up to this tells something, and only where few others are as
# near: any two numbers have a ratio
LARGEST_MULTIPLE, SURE = 64, 1e-4


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
        if round(square) > 1 and abs(square - round(square)) < min(1e-3 * square, NEAR_SQUARE):
            whole = math.isqrt(round(square))
            if whole * whole == round(square):
                return f"{sign}1/{whole}" if over else ""
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
