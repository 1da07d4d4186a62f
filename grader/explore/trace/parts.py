"""A tensor of a program beside parts of one of the reference: rows, heads, blocks of neighbours.

Programs with a loop have a row or a head where the reference has the whole.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from grader.explore.trace.relations import LOOSE, Tensor, allowed, close

MOST = 1 << 15  # entries of all blocks along one axis: beyond them, none is looked for
LEAST = 2  # entries of a part
LEAST_ROW = 3  # of one that is nearly a row
SURE_ROW = 4  # of one whose factor is wrong


def is_part(one: Tensor, due: Tensor) -> bool:
    """Is it a part of a larger tensor?"""
    margin = allowed(one, due)
    with np.errstate(all="ignore"):
        return any(
            close(parts, one.squeezed, margin).reshape(len(parts), -1).all(-1).any()
            for parts in _parts(one, due)
        )


def row_of(one: Tensor, due: Tensor) -> bool:
    """Is it a row of a larger tensor but for a number that is added, or, where no entry is below 0,
    a factor? So are scores and exponentials on their way through a softmax.
    """
    a = one.squeezed
    if a.ndim != 1 or a.size < LEAST_ROW or not np.isfinite(a).all():
        return False
    with np.errstate(all="ignore"):
        return any(_nearly(a, rows[np.isfinite(rows).all(-1)]) for rows in _parts(one, due))


def _nearly(a: np.ndarray, rows: np.ndarray) -> bool:
    factor = (rows @ a) / (rows * rows).sum(-1)
    scaled = np.abs(a - factor[:, None] * rows).max(-1)
    moved = np.ptp(a - rows, axis=-1)
    margin = LOOSE[False] * np.abs(a).max()
    return bool(((a >= 0).all() and (scaled <= margin).any()) or (moved <= margin).any())


def factor_of(one: Tensor, due: Tensor) -> float:
    """The factor by which it is a part of a larger tensor, or 0; of a single row, only where some
    entry is below 0: rows of exponentials have factors of their own.
    """
    a, margin = one.squeezed, allowed(one, due)
    row = a.ndim < 2 and (a.size < SURE_ROW or (a >= 0).all())
    if row or not np.isfinite(a).all():
        return 0.0
    at = np.unravel_index(int(np.abs(a).argmax()), a.shape)
    with np.errstate(all="ignore"):
        for part in chain.from_iterable(_parts(one, due)):
            factor = float(a[at] / part[at])
            near = np.abs(a - factor * part).max() <= 4 * margin * abs(factor)
            if near and 1e-6 < abs(factor) < 1e6 and abs(factor - 1) > 1e-3:
                return factor
    return 0.0


def _parts(one: Tensor, due: Tensor) -> Iterator[np.ndarray]:
    """Parts of the same shape, several at a time: (parts, ...)."""
    if not LEAST <= one.size < due.size or one.boolean or due.boolean or not one.telling:
        return
    shape, e = one.squeezed.shape, due.squeezed
    if len(shape) < e.ndim and e.shape[e.ndim - len(shape) :] == shape:
        yield e.reshape(-1, *shape)
    for axis in range(e.ndim):
        rest = e.shape[:axis] + e.shape[axis + 1 :]
        if rest == shape:
            yield np.moveaxis(e, axis, 0)
        elif len(shape) == e.ndim and shape[:axis] + shape[axis + 1 :] == rest:
            windows = np.lib.stride_tricks.sliding_window_view(e, shape[axis], axis)
            if windows.size <= MOST:
                yield np.moveaxis(windows, (axis, -1), (0, axis + 1))
