"""Is this tensor the answer? What came, its shape, its dtype, what is not finite, then the numbers.

The order matters: `np.allclose(1.0, np.ones(3))` is true, and so is empty against empty of another
shape. NaN is never a wildcard.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.comparison import texts
from grader.comparison.patterns import pattern
from grader.comparison.places import Context, where
from grader.findings.codes import Came, Code
from grader.findings.finding import Detail, Finding, detail, finding
from grader.inside.frames import ABSENT, DTYPES, EMPTY_TOO_LARGE, NAMES, RANK, TOO_MANY_AXES
from grader.inside.nested import TEXT

UNUSABLE = (
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
FRAMEWORKS = ("numpy.ndarray", "torch.Tensor")  # the plain type of the other framework


@dataclass(frozen=True, slots=True)
class Expected:
    """One tensor of an answer: its values (float64 where they are floats), the dtype a solution
    must give, and what it may be off by.
    """

    values: np.ndarray
    dtype: str
    tolerance: float
    noise: float = 0.0

    @property
    def shown(self) -> np.ndarray:
        """The values as a reader sees them."""
        return texts.shown(self.values, self.dtype)


def agrees(actual: np.ndarray, dtype: str, expected: Expected) -> bool:
    """The common case, quickly: `compare` finds nothing where this holds."""
    return (
        NAMES.get(actual.dtype) == dtype == expected.dtype
        and actual.shape == expected.values.shape
        and _plainly_equal(actual, expected)
    )


def compare(
    name: str,
    actual: np.ndarray | None,
    dtype: str,
    expected: Expected,
    axes: tuple[str, ...] = (),
    context: Context | None = None,
    brief: bool = False,
) -> tuple[Finding, ...]:
    """How `actual` (true dtype `dtype`) differs from the answer; () where it does not.

    A wrong dtype hides nothing: the values are compared whatever it is. Floats of another width
    than asked are no difference, unless float64 was asked: see `other_dtype`.

    `axes` names the axes ("B", "H", "L", …) for places. A difference of exactly the tolerance is
    allowed. `brief`: whether they differ is all that is asked, and in what kind, so values that
    differ are not looked at for a place or a pattern, and only their code is returned.
    """
    if actual is None:
        return (_absent(name, dtype, expected),)
    if TEXT in (dtype, expected.dtype):
        return _text_differs(name, actual, dtype, expected)
    if actual.shape != expected.values.shape:
        due_shape = expected.values.shape
        return (
            finding(
                Code.WRONG_SHAPE, tensor=name, shape=actual.shape, expected=due_shape, axes=axes
            ),
        )
    # only a program that writes its own frames can say one and send another
    if dtype in DTYPES and actual.dtype != np.dtype(dtype):
        return (
            finding(
                Code.FALSE_DTYPE,
                tensor=name,
                dtype=str(actual.dtype),
                announced=dtype,
                expected=expected.dtype,
            ),
        )
    findings: tuple[Finding, ...] = ()
    if not same_dtype(dtype, expected.dtype) and not other_dtype(dtype, expected.dtype):
        integers = expected.dtype.startswith(("int", "uint"))
        due = "int" if integers else expected.dtype
        findings = (finding(Code.WRONG_DTYPE, tensor=name, dtype=dtype, expected=due),)
    if _plainly_equal(actual, expected):
        return findings
    if brief and _finite(actual) and _finite(expected.values):  # nothing is left that could agree
        return (*findings, _differs_in(name, True))
    wrong, error = differences(actual, expected)
    if not wrong.any():
        return findings
    if brief:
        finite = np.isfinite(actual.astype(np.float64, copy=False)[wrong]).all()
        return (*findings, _differs_in(name, bool(finite)))
    return (*findings, _differs(name, actual, expected, wrong, error, axes, context))


def _finite(values: np.ndarray) -> bool:
    return values.dtype.kind == "f" and bool(np.isfinite(values).all())


def _differs_in(name: str, finite: bool) -> Finding:
    """What is said in brief."""
    if name.startswith("after."):
        return Finding(Code.INPUT_MODIFIED)
    return Finding(Code.VALUES_DIFFER if finite else Code.NOT_FINITE)


def _text_differs(
    name: str, actual: np.ndarray, dtype: str, expected: Expected
) -> tuple[Finding, ...]:
    if dtype != expected.dtype:
        due = expected.dtype
        return (finding(Code.WRONG_TYPE, tensor=name, type=dtype, expected=due, scalar=True),)
    if actual.tobytes() == expected.values.tobytes():
        return ()
    text, due = texts.told(actual, expected.values)
    return (finding(Code.TEXT_DIFFERS, tensor=name, text=text, expected=due),)


def _plainly_equal(actual: np.ndarray, expected: Expected) -> bool:
    """Is every entry finite and within the tolerance?

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


def other_dtype(dtype: str, expected: str) -> bool:
    """Is it a number of another width where a float is due? That is remarked upon, and no mistake.

    Where float64 is due, a narrower dtype has lost what was asked for. NumPy 2 makes
    `scores / np.sqrt(d_k)` a float64, as every lesson writes it.
    """
    numbers = ("float", "int", "uint")
    return (
        expected.startswith("float")
        and expected not in ("float", "float64")
        and dtype != expected
        and dtype.startswith(numbers)
    )


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


def _absent(name: str, dtype: str, expected: Expected) -> Finding:
    """What came instead of a tensor."""
    if name.startswith("after."):
        name = name.removeprefix("after.")
        return finding(Code.INPUT_MODIFIED, tensor=name, at=(), where=())
    if not dtype or dtype.startswith(ABSENT):
        return finding(Code.MISSING, tensor=name, came=what_came(dtype))
    plain: dict[str, Any] = {
        "tensor": name,
        "expected": expected.dtype,
        "scalar": expected.values.ndim == 0,
    }
    if dtype == "builtins.NoneType":
        return finding(Code.RETURNED_NONE, **plain)
    if dtype == TOO_MANY_AXES:
        return finding(Code.TOO_MANY_AXES, **plain, limit=RANK)
    if dtype == EMPTY_TOO_LARGE:
        return finding(Code.EMPTY_TOO_LARGE, **plain)
    if dtype in FRAMEWORKS:
        return finding(Code.WRONG_FRAMEWORK, tensor=name, type=dtype, expected=expected.dtype)
    if dtype.startswith(UNUSABLE):
        return finding(Code.UNUSABLE_DTYPE, **plain, dtype=dtype)
    return finding(Code.WRONG_TYPE, **plain, type=dtype.removeprefix("builtins."))


def what_came(dtype: str) -> Detail | None:
    """Reads what the room tells in the place of a dtype; None where it tells nothing plain."""
    code, _, rest = dtype.removeprefix(ABSENT).partition(":")
    count, _, kind = rest.partition(":")
    if code == Came.ONE:
        return detail(Came.ONE, type=rest)
    if code in (Came.ITEMS, Came.ROWS) and not (count.isascii() and count.isdecimal()):
        return None
    if code == Came.ITEMS:
        return detail(Came.ITEMS, type=kind, count=int(count))
    if code == Came.ROWS:
        return detail(Came.ROWS, count=int(count))
    return detail(Came(code)) if code in list(Came) else None


def _differs(
    name: str,
    actual: np.ndarray,
    expected: Expected,
    wrong: np.ndarray,
    error: np.ndarray,
    axes: tuple[str, ...],
    context: Context | None,
) -> Finding:
    at = tuple(
        int(i) for i in np.unravel_index(int(np.argmax(np.where(wrong, error, -1.0))), wrong.shape)
    )
    places = where(wrong, axes, context)
    if name.startswith("after."):
        name = name.removeprefix("after.")
        return finding(Code.INPUT_MODIFIED, tensor=name, at=at, where=places)
    wide = actual.astype(np.float64)
    strange = ~np.isfinite(wide) & wrong
    if strange.any():
        return finding(
            Code.NOT_FINITE,
            tensor=name,
            nan=bool(np.isnan(wide[strange]).any()),
            count=int(strange.sum()),
            total=wrong.size,
            at=at,
            where=where(strange, axes, context),
        )
    floats = expected.values.dtype.kind == "f"
    return finding(
        Code.VALUES_DIFFER,
        tensor=name,
        count=int(wrong.sum()),
        total=wrong.size,
        largest=float(error[at]) if floats else None,
        allowed=float(expected.tolerance) if floats else None,
        at=at,
        where=places,
        pattern=pattern(actual, expected.values, wrong, expected.tolerance, axes),
    )
