"""Where a tensor is wrong, and what it looks like instead, in words a teacher would use.

`where` says which rows, heads or batches; `pattern` says what kind of difference it is: a constant
factor (and which), a transposition, a permutation, rows that do not sum to 1. Both see only the
learner's tensor, the answer and the case's masks, and return "" when there is nothing plain to say.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

NAMES = {
    "B": "batch",
    "H": "head",
    "L": "row",
    "n": "row",
    "b": "row",
    "S": "key",
    "D": "feature",
    "E": "feature",
    "Dv": "feature",
    "d": "feature",
}
MANY = 4
SINGLE = 3e-7  # relative: what a step in float32 may leave
LARGEST_ROOT = 1e3  # beyond it, nearly every number is near some root


@dataclass(frozen=True, slots=True)
class Context:
    """What the words may refer to: sizes by letter, and the boolean masks of the case (True = may
    attend).
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    masks: Mapping[str, np.ndarray] = field(default_factory=dict)


def where(wrong: np.ndarray, axes: tuple[str, ...] = (), context: Context | None = None) -> str:
    """`, in head 1`, `, in every row but the first`, …; "" when everything is wrong or nothing
    plain can be said.
    """
    if wrong.ndim == 0 or wrong.all() or not wrong.any():
        return ""
    names = [_name(axes, i, wrong.ndim) for i in range(wrong.ndim)]
    hidden = _hidden_rows(wrong, names, context)
    if hidden:
        return hidden
    told = []
    for axis in range(wrong.ndim):
        others = tuple(i for i in range(wrong.ndim) if i != axis)
        hit = np.asarray(wrong.any(axis=others) if others else wrong)
        said = _which(hit, names[axis])
        if said:
            told.append(said)
    return ", " + ", ".join(f"in {t}" for t in told) if told else ""


def _name(axes: tuple[str, ...], axis: int, ndim: int) -> str:
    if len(axes) == ndim and axes[axis] in axes[:axis]:
        return "column"
    if len(axes) == ndim:
        return NAMES.get(axes[axis], f"axis {axis} index")
    return {1: ["index"], 2: ["row", "column"]}.get(
        ndim, [f"axis {i} index" for i in range(ndim - 2)] + ["row", "column"]
    )[axis]


def _which(hit: np.ndarray, name: str) -> str:
    """Which positions along one axis are hit: `row 2`, `every head but the first`, `rows 3 to 6`."""
    n, at = hit.size, np.flatnonzero(hit)
    if n == 1 or at.size == n:
        return ""
    if at.size == 1:
        return f"{name} {at[0]} only" if n > 2 else f"{name} {at[0]}"
    if at.size == n - 1:
        right = int(np.flatnonzero(~hit)[0])
        return (
            f"every {name} but"
            f" {'the first' if right == 0 else 'the last' if right == n - 1 else right}"
        )
    if at[-1] - at[0] + 1 == at.size:
        if at[-1] == n - 1:
            return f"{_plural(name)} from {at[0]} on"
        return f"{_plural(name)} {at[0]} to {at[-1]}"
    steps = np.diff(at)
    if at.size > 2 and (steps == steps[0]).all():
        return f"every {_ordinal(int(steps[0]))} {name} from {at[0]} on"
    if at.size <= MANY:
        return f"{_plural(name)} {', '.join(str(int(i)) for i in at)}"
    return f"{at.size} of {n} {_plural(name)}"


def _plural(name: str) -> str:
    return {"batch": "batches"}.get(
        name, name.removesuffix("index") + "indices" if name.endswith("index") else name + "s"
    )


def _ordinal(n: int) -> str:
    return {2: "second", 3: "third"}.get(n, f"{n}th")


def _hidden_rows(wrong: np.ndarray, names: list[str], context: Context | None) -> str:
    """Do the wrong rows coincide with what a mask does?"""
    if context is None or wrong.ndim < 2:
        return ""
    rows = np.asarray(wrong.any(axis=-1))
    for name, given in context.masks.items():
        mask = _aligned(given, wrong, names)
        if mask is None:
            continue
        empty = np.broadcast_to(~mask.any(axis=-1), rows.shape)
        partly = np.broadcast_to(~mask.all(axis=-1), rows.shape)
        if _exactly(rows, empty):
            return f", in exactly the rows where {name} leaves no visible key"
        if (
            wrong.shape[-1] == mask.shape[-1]
            and not (wrong & np.broadcast_to(mask, wrong.shape)).any()
        ):
            return f", at keys that {name} hides only"
        for found, words in [(partly, f"where {name} hides a key"), *_padded(mask, rows, name)]:
            if _exactly(rows, found):
                return f", in exactly the rows {words}"
    return ""


def _exactly(rows: np.ndarray, found: np.ndarray) -> bool:
    return bool(found.any() and not found.all() and (rows == found).all())


def _aligned(mask: np.ndarray, wrong: np.ndarray, names: list[str]) -> np.ndarray | None:
    """The mask with its batch, head and row axes where those of the tensor are, so that its rows
    broadcast; None when they cannot.

    A mask of (S), (B, S) or (B, L, S) is for everything that it has no axis of; an axis of heads of
    size 1 may be missing in the tensor.
    """
    mask = np.atleast_2d(mask)
    if mask.ndim < wrong.ndim and names[0] == "batch" and mask.shape[0] == wrong.shape[0]:
        mask = mask.reshape(mask.shape[0], *(1,) * (wrong.ndim - mask.ndim), *mask.shape[1:])
    if mask.ndim == wrong.ndim + 1 and mask.shape[1] == 1:
        mask = mask[:, 0]
    rows = wrong.shape[:-1]
    fits = mask.ndim <= wrong.ndim and all(
        m in (1, n) for m, n in zip(mask.shape[-2::-1], rows[::-1], strict=False)
    )
    return mask if fits else None


def _padded(mask: np.ndarray, rows: np.ndarray, name: str) -> list[tuple[np.ndarray, str]]:
    """Rows at and after the first hidden key, where rows and keys are the same tokens and the mask
    is the same for every row.
    """
    if mask.ndim < 2 or mask.shape[-2] != 1 or mask.shape[-1] != rows.shape[-1]:
        return []
    # (..., S): no key up to here is hidden
    before = np.logical_and.accumulate(mask[..., 0, :], axis=-1)
    after = ~np.concatenate([np.ones_like(before[..., :1]), before[..., :-1]], axis=-1)
    found = [
        (after, f"after the first key that {name} hides"),
        (~before, f"from the first key on that {name} hides"),
    ]
    return [(np.broadcast_to(at, rows.shape), words) for at, words in found]


def pattern(
    actual: np.ndarray,
    expected: np.ndarray,
    wrong: np.ndarray,
    tolerance: float,
    axes: tuple[str, ...] = (),
) -> str:
    """`; every value is 2.83 = √8 times what it should be`, `; it is the transpose of the answer`,
    …; "" when none fits.
    """
    if actual.dtype.kind == "b":
        return (
            "; it is the opposite of the answer"
            if wrong.all()
            else _moved_text(actual, expected, tolerance)
        )
    if actual.dtype.kind != "f" or not (np.isfinite(actual).all() and np.isfinite(expected).all()):
        return ""
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    if (
        actual.dtype == np.float64
        and tolerance < SINGLE
        and np.abs(a - e).max() <= SINGLE * max(1.0, float(np.abs(e).max()))
    ):
        return "; it is right to single precision: something inside is float32"
    # a difference of huge numbers is infinite, and fits no pattern
    with np.errstate(over="ignore", invalid="ignore"):
        return next(_patterns(a, e, wrong, tolerance, axes), "")


def _patterns(
    a: np.ndarray, e: np.ndarray, wrong: np.ndarray, tolerance: float, axes: tuple[str, ...]
) -> Iterator[str]:
    if not a.any() and e.any():
        yield "; it is all zeros"
    if (said := _factor(a, e, tolerance)) is not None:
        yield said
    first = (a - e).flat[0] if a.size > 1 else 0.0
    if abs(first) > tolerance and np.abs((a - e) - first).max() <= 4 * tolerance:
        yield f"; every value is off by the same {first:+.3g}"
    if (said := _moved_text(a, e, tolerance)) != "":
        yield said
    if axes[-1:] == ("S",) and a.ndim >= 1 and a.shape[-1] > 1:
        yield from _row_sums(a, e)


def _factor(a: np.ndarray, e: np.ndarray, tolerance: float) -> str | None:
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
        return "; every value is next to nothing"
    return f"; every value is {factor:.3g}{_root(factor)} times what it should be"


def _root(factor: float) -> str:
    size = abs(factor)
    if not 1 / LARGEST_ROOT < size < LARGEST_ROOT:
        return ""
    for value, form in ((size, "{}"), (1 / size, "1/{}")):
        square = value * value
        if round(square) > 1 and abs(square - round(square)) < 1e-3 * square:
            root = math.isqrt(round(square))
            if root * root == round(square):
                return "" if form == "{}" else f" = 1/{root}"
            return f" = {form.format('√' + str(round(square)))}"
    return ""


def _moved_text(a: np.ndarray, e: np.ndarray, tolerance: float) -> str:
    def equal(x: np.ndarray) -> bool:
        return x.shape == e.shape and bool(
            np.abs(x.astype(np.float64) - e.astype(np.float64)).max() <= tolerance
        )

    if abs(float(a.sum()) - float(e.sum())) > 1.01 * a.size * tolerance + 1e-9 * float(
        np.abs(e).sum()
    ):
        return ""  # every form below is an order of the same values
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and equal(np.swapaxes(a, -1, -2)):
        return "; it is the transpose of the answer"
    for axis, name in ((-1, "last axis"), (-2, "rows")):
        if a.ndim >= -axis and a.shape[axis] > 1:
            if equal(np.flip(a, axis)):
                return (
                    f"; the {name} are in reverse order"
                    if axis == -2
                    else "; the last axis is in reverse order"
                )
            for step in (1, -1):
                if equal(np.roll(a, step, axis)):
                    return (
                        "; the rows are shifted by one"
                        if axis == -2
                        else "; the last axis is shifted by one"
                    )
    if a.dtype.kind == "b" or a.size > 100_000:
        return ""
    if (
        np.abs(np.sort(a, axis=None).astype(float) - np.sort(e, axis=None).astype(float)).max()
        <= tolerance
    ):
        return "; the values are right, but in another order"
    return ""


def _row_sums(a: np.ndarray, e: np.ndarray) -> Iterator[str]:
    sums, due = a.sum(-1), e.sum(-1)
    if np.abs(sums - due).max() > 1e-3:
        if a.ndim >= 2 and np.abs(a.sum(-2) - 1).max() < 1e-3:
            yield "; its columns sum to 1, not its rows"
        elif np.allclose(due, 1, atol=1e-3):
            yield f"; its rows sum to {sums.min():.3g} to {sums.max():.3g}, not to 1"
