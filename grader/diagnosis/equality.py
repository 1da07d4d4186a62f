"""When do two runs of a case bring back equal tensors?

A projection, one number for each tensor, tells quickly which of many runs are surely not equal.
"""

from functools import lru_cache

import numpy as np

from grader.answers import Answer
from grader.comparison.compare import Expected, other_dtype
from grader.model import Run

PROJECTED = 2048  # numbers of a tensor that are projected


def projections(run: Run) -> dict[str, float]:
    """Each tensor as one number, its product with a fixed random vector: two tensors whose numbers
    are far apart need no closer look. NaN is far from nothing.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return {
            name: _projection(tensor)
            for name, tensor in run.tensors.items()
            if tensor.dtype.kind in "fbiu"
        }


def _projection(tensor: np.ndarray) -> float:
    some = _some(tensor)
    return float(_direction(some.size) @ some)


def _some(tensor: np.ndarray) -> np.ndarray:
    """All numbers of a small tensor, regularly spaced ones of a large one."""
    flat = tensor.ravel()
    return flat[:: flat.size // PROJECTED + 1]


@lru_cache(maxsize=256)
def _direction(size: int) -> np.ndarray:
    return np.random.default_rng(size).standard_normal(size)


def bounds(run: Run, answer: Answer) -> dict[str, tuple[float, float]]:
    """The projections, and how far apart they can be of tensors that `same_tensors` finds equal."""
    if answer.case.draws:
        return {}
    return {
        name: (value, _room(run.tensors[name], answer.expected[name].tolerance))
        for name, value in projections(run).items()
        if name in answer.expected
    }


def _room(tensor: np.ndarray, tolerance: float) -> float:
    largest = float(np.abs(tensor.astype(np.float64)).max(initial=0.0))
    precision = np.finfo(tensor.dtype if tensor.dtype.kind == "f" else np.float64).eps
    most = 2 * max(4 * tolerance, 64 * float(precision) * largest)
    return most * float(np.abs(_direction(_some(tensor).size)).sum())


def same_tensors(a: Run, b: Run, answer: Answer) -> bool:
    """Do two runs bring back equal tensors, to within a few times the tolerance?

    NaN equals NaN here.
    """
    if set(a.tensors) != set(b.tensors) or any(
        _kind(a, n, e) != _kind(b, n, e) for n, e in answer.expected.items()
    ):
        return False
    wider = _wider(b, answer)
    return all(
        _close(
            a.tensors[name],
            b.tensors[name],
            (wider if answer.case.draws else 4) * answer.expected[name].tolerance,
        )
        for name in a.tensors
        if name in answer.expected
    )


def overflows_later(a: np.ndarray, b: np.ndarray) -> bool:
    """Are both not finite somewhere, and is the first a wider float? Then it may be finite where
    the second is not, and there they cannot be compared: `scores / np.sqrt(d)` is a float64.
    """
    return (
        a.dtype.kind == b.dtype.kind == "f"
        and a.dtype.itemsize > b.dtype.itemsize
        and not np.isfinite(a).all()
        and not np.isfinite(b).all()
    )


def equal_tensors(a: Run, b: Run) -> bool:
    """Are two runs of one program the same, bit for bit?"""
    return a.tensors.keys() == b.tensors.keys() and all(
        np.array_equal(tensor, b.tensors[name], equal_nan=tensor.dtype.kind == "f")
        for name, tensor in a.tensors.items()
    )


def _kind(run: Run, name: str, expected: Expected) -> str:
    """A dtype as far as it tells mistakes apart: any integer is an integer, and where booleans are
    due, 0.0 and 1.0 are integers too.
    """
    dtype = run.dtypes.get(name, "")
    number = dtype.startswith(("int", "uint")) or (
        expected.dtype == "bool" and dtype.startswith("float")
    )
    if number:
        return "integer"
    return "float" if expected.dtype == dtype or other_dtype(dtype, expected.dtype) else dtype


def _wider(run: Run, answer: Answer) -> float:
    """How much wider a mistake's random results are spread than the answer's: so much less exact
    are its means and deviations.
    """
    spreads = [
        float(np.abs(run.tensors[name]).max(initial=0.0))
        / max(float(np.abs(expected.values).max(initial=0.0)), 1e-12)
        for name, expected in answer.expected.items()
        if name.startswith("spread.") and name in run.tensors
    ]
    return max([1.0, *(spread for spread in spreads if np.isfinite(spread))])


def _close(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    # of two dtypes the narrower one has rounded more
    eps = max(float(np.finfo(x.dtype).eps) for x in (a, b) if x.dtype.kind == "f")
    # the common case, quickly: NaN fails every comparison, so it is never equal here
    if a.dtype.kind == b.dtype.kind == "f":
        with np.errstate(invalid="ignore", over="ignore"):
            largest = float(np.abs(a - b).max(initial=0.0))
        if largest <= tolerance:
            return True
        if np.isfinite(largest) and largest > tolerance + 64 * eps * float(
            np.abs(b).max(initial=0.0)
        ):
            return False
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(y)
    if overflows_later(a, b):
        if not np.isfinite(x[finite]).all():
            return False
    elif not ((np.isnan(x) == np.isnan(y)).all() and (np.isfinite(x) == finite).all()):
        return False
    scale = 64 * eps * float(np.abs(y[finite]).max(initial=0.0))
    return float(np.abs(x[finite] - y[finite]).max(initial=0.0)) <= max(tolerance, scale)
