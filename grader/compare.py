"""Is this tensor the answer? Attributes before values: what came, its shape, its dtype, what is not
finite, then the numbers.

The order matters: `np.allclose(1.0, np.ones(3))` is true, and so is empty against empty of another
shape. NaN is never a wildcard.
"""

from dataclasses import dataclass

import numpy as np

from grader import explain
from grader.inside.frames import DTYPES
from grader.model import Mismatch


@dataclass(frozen=True, slots=True)
class Expected:
    """One tensor of an answer: its values (float64 where they are floats), the dtype a solution
    must give, and what it may be off by.
    """

    values: np.ndarray
    dtype: str
    tolerance: float
    noise: float = 0.0


def compare(
    name: str,
    actual: np.ndarray | None,
    dtype: str,
    expected: Expected,
    axes: tuple[str, ...] = (),
    context: explain.Context | None = None,
    brief: bool = False,
) -> Mismatch | None:
    """The first way in which `actual` (true dtype `dtype`) differs from the answer, or None.

    `axes` names the axes ("B", "H", "L", …) for the text. A difference of exactly the tolerance is
    allowed. `brief`: whether they differ is all that is asked, and in what kind, so values that
    differ are not looked at for a place or a pattern.
    """
    if actual is None:
        return _absent(name, dtype, expected)
    if actual.shape != expected.values.shape:
        return Mismatch(
            name,
            "shape",
            f"{name} has shape {actual.shape}; expected {expected.values.shape}{_letters(axes)}",
        )
    if not same_dtype(dtype, expected.dtype):
        integers = expected.dtype == "int" or expected.dtype.startswith(("int", "uint"))
        return Mismatch(
            name,
            "dtype",
            f"{name} is {dtype}; expected {'integers' if integers else expected.dtype}",
        )
    # only a program that writes its own frames can say one and send another
    if dtype in DTYPES and actual.dtype != np.dtype(dtype):
        return Mismatch(
            name,
            "dtype",
            f"{name} is {actual.dtype}, though it was announced as {dtype}; expected"
            f" {expected.dtype}",
        )
    if _plainly_equal(actual, expected):
        return None
    wrong, error = differences(actual, expected)
    if not wrong.any():
        return None
    if brief:
        finite = np.isfinite(actual.astype(np.float64, copy=False)[wrong]).all()
        return Mismatch(
            name,
            "mutated" if name.startswith("after.") else "values" if finite else "nonfinite",
            "",
        )
    return _differs(name, actual, expected, wrong, error, axes, context)


def _plainly_equal(actual: np.ndarray, expected: Expected) -> bool:
    """The common case, quickly: every entry finite and within the tolerance.

    NaN fails every comparison, so it is never equal here.
    """
    if actual.dtype.kind != "f" or expected.values.dtype.kind != "f":
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        return bool((np.abs(actual - expected.values) <= expected.tolerance).all())


def differences(actual: np.ndarray, expected: Expected) -> tuple[np.ndarray, np.ndarray]:
    """Where two arrays of one shape differ by more than the tolerance, and by how much (inf where
    only one is finite).
    """
    if expected.values.dtype.kind in "biu" and actual.dtype.kind in "biu":
        wrong = actual != expected.values
        return wrong, np.abs(actual.astype(np.float64) - expected.values.astype(np.float64))
    a, e = actual.astype(np.float64), expected.values.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(a - e)
    same_infinity = np.isinf(a) & (a == e)
    error = np.where(same_infinity, 0.0, np.where(np.isfinite(a) & np.isfinite(e), error, np.inf))
    return error > expected.tolerance, error


def same_dtype(dtype: str, expected: str) -> bool:
    """Floats and booleans must be exactly as asked; any integer type will do for integers; lists
    are for values worked by hand.
    """
    if dtype == expected:
        return True
    if expected == "list":
        return dtype in ("list", "float64", "float", "int", "int64")
    if expected == "int" or expected.startswith(("int", "uint")):
        return dtype == "int" or dtype.startswith(("int", "uint"))
    return {dtype, expected} in ({"float", "float64"}, {"bool", "bool_"})


def _absent(name: str, dtype: str, expected: Expected) -> Mismatch:
    if dtype.startswith("missing: "):
        what = dtype.removeprefix("missing: ")
        if name.startswith("grad."):
            return Mismatch(name, "missing", f"{name}: {what}")
        if what.startswith("only "):
            return Mismatch(name, "missing", f"{name} has {what}")
        return Mismatch(name, "missing", f"{name} is missing: the call returned {what}")
    if not dtype:
        return Mismatch(name, "missing", f"{name} is missing")
    plain = dtype.startswith(
        (
            "complex",
            "object",
            "float128",
            "longdouble",
            "datetime",
            "timedelta",
            "str",
            "bytes",
            "void",
        )
    )
    kind = "dtype" if plain else "type"
    other = {"numpy.ndarray": "a torch.Tensor", "torch.Tensor": "an array of NumPy"}.get(dtype)
    if other:
        return Mismatch(name, kind, f"{name} is a {dtype}; expected {other} ({expected.dtype})")
    wanted = (
        f"expected a plain {expected.dtype} {'value' if expected.values.ndim == 0 else 'array'}"
    )
    if dtype == "builtins.NoneType":
        return Mismatch(
            name, kind, f"{name} is None; {wanted}. Does every path of the function return it?"
        )
    return Mismatch(name, kind, f"{name} is {dtype}; {wanted}")


def _differs(
    name: str,
    actual: np.ndarray,
    expected: Expected,
    wrong: np.ndarray,
    error: np.ndarray,
    axes: tuple[str, ...],
    context: explain.Context | None,
) -> Mismatch:
    index = tuple(
        int(i) for i in np.unravel_index(int(np.argmax(np.where(wrong, error, -1.0))), wrong.shape)
    )
    count, fraction = int(wrong.sum()), float(wrong.mean())
    biggest = float(error[index])
    where = explain.where(wrong, axes, context)
    if name.startswith("after."):
        text = f"{name.removeprefix('after.')} was modified by the call{where}; work on a copy"
        return Mismatch(name, "mutated", text, index, biggest, expected.tolerance, fraction)
    strange = ~np.isfinite(actual.astype(np.float64)) & wrong
    if strange.any():
        kinds = "NaN" if np.isnan(actual.astype(np.float64)[strange]).any() else "infinite"
        text = (
            f"{name}: {int(strange.sum())} of {wrong.size} values are"
            f" {kinds}{explain.where(strange, axes, context)}"
        )
        return Mismatch(name, "nonfinite", text, index, biggest, expected.tolerance, fraction)
    pattern = explain.pattern(actual, expected.values, wrong, expected.tolerance, axes)
    much = f"{count} of {wrong.size} values differ" if wrong.size > 1 else "the value differs"
    size = (
        f", by up to {biggest:.3g} (allowed {expected.tolerance:.2g})"
        if expected.values.dtype.kind == "f"
        else ""
    )
    return Mismatch(
        name,
        "values",
        f"{name}: {much}{size}{where}{pattern}",
        index,
        biggest,
        expected.tolerance,
        fraction,
    )


def _letters(axes: tuple[str, ...]) -> str:
    return f", that is ({', '.join(axes)})" if axes else ""
