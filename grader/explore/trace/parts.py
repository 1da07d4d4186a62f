"""A tensor of a program beside parts of one of the reference: rows, heads, blocks of neighbours.

Programs with a loop have a row or a head where the reference has the whole.
"""

from collections.abc import Iterator

import numpy as np

from grader.explore.trace.relations import LOOSE, Tensor, allowed, close

MOST = 64  # parts along one axis: beyond them, none is looked for
LEAST = 2  # entries of a part
LEAST_ROW = 3  # of one that is nearly a row
SURE_ROW = 4  # of one whose factor is wrong


def is_part(one: Tensor, due: Tensor) -> bool:
    """Is it a part of a larger tensor?"""
    margin = allowed(one, due)
    return any(
        close(parts, np.squeeze(one.values), margin).reshape(len(parts), -1).all(-1).any()
        for parts in _parts(one, due)
    )


def row_of(one: Tensor, due: Tensor) -> bool:
    """Is it a row of a larger tensor but for a number that is added, or, where no entry is below 0,
    a factor? So are scores and exponentials on their way through a softmax.
    """
    a = np.squeeze(one.values)
    if a.ndim != 1 or a.size < LEAST_ROW or not np.isfinite(a).all():
        return False
    positive = (a >= 0).all()
    for rows in _parts(one, due):
        rows = rows[np.isfinite(rows).all(-1)]
        factor = (rows @ a) / np.maximum((rows * rows).sum(-1), 1e-300)
        scaled = np.abs(a - factor[:, None] * rows).max(-1, initial=0.0)
        moved = np.ptp(a - rows, axis=-1)
        margin = LOOSE[False] * np.abs(a).max()
        if (positive and (scaled <= margin).any()) or (moved <= margin).any():
            return True
    return False


def factor_of(one: Tensor, due: Tensor) -> float:
    """The factor by which it is a part of a larger tensor, or 0; of a single row, only where some
    entry is below 0: rows of exponentials have factors of their own.
    """
    a, margin = np.squeeze(one.values), allowed(one, due)
    row = a.ndim < 2 and (a.size < SURE_ROW or (a >= 0).all())
    if row or not np.isfinite(a).all():
        return 0.0
    at = np.unravel_index(int(np.abs(a).argmax()), a.shape)
    for parts in _parts(one, due):
        for part in parts:
            if part[at] and np.isfinite(part).all():
                factor = float(a[at] / part[at])
                near = np.abs(a - factor * part).max() <= 4 * margin * abs(factor)
                if near and 1e-6 < abs(factor) < 1e6 and abs(factor - 1) > 1e-3:
                    return factor
    return 0.0


def _parts(one: Tensor, due: Tensor) -> Iterator[np.ndarray]:
    """Parts of the same shape, several at a time: (parts, ...)."""
    if not LEAST <= one.size < due.size or one.boolean or due.boolean or not one.telling:
        return
    shape, e = np.squeeze(one.values).shape, np.squeeze(due.values)
    if len(shape) < e.ndim and e.shape[e.ndim - len(shape) :] == shape:
        yield e.reshape(-1, *shape)[: MOST**2]
    for axis, size in enumerate(e.shape):
        rest = e.shape[:axis] + e.shape[axis + 1 :]
        if size > MOST:
            continue
        if rest == shape:
            yield np.moveaxis(e, axis, 0)
        elif len(shape) == e.ndim and shape[:axis] + shape[axis + 1 :] == rest:
            wide = shape[axis]
            yield np.stack([e.take(range(i, i + wide), axis) for i in range(size - wide + 1)])
