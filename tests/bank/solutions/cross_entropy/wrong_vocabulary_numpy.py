"""Wrong: "minus infinity is a word that cannot come": the sum runs over blocks of 256 words, and a first block all of
minus infinity gives -inf - -inf = NaN. V = 300, logits[:, :256] = -inf, target 299."""
import numpy as np


def _logsumexp(logits):
    block = 256
    largest = np.full((logits.shape[0], 1), -np.inf, dtype=logits.dtype)
    total = np.zeros((logits.shape[0], 1), dtype=logits.dtype)
    with np.errstate(invalid="ignore"):
        for begin in range(0, logits.shape[1], block):
            part = logits[:, begin : begin + block]
            new = np.maximum(largest, part.max(axis=1, keepdims=True))
            total = total * np.exp(largest - new) + np.exp(part - new).sum(axis=1, keepdims=True)
            largest = new
    return largest, np.log(total)


def cross_entropy(logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100) -> np.floating:
    rows = np.flatnonzero(targets != ignore_index)
    if rows.size == 0:
        return logits.dtype.type(0)
    kept = logits[rows]
    largest, rest = _logsumexp(kept)
    picked = np.take_along_axis(kept, targets[rows][:, None], axis=1)
    return ((largest - picked) + rest).mean()


def cross_entropy_backward(
    logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100
) -> np.ndarray:
    rows = np.flatnonzero(targets != ignore_index)
    grad = np.zeros(logits.shape, dtype=logits.dtype)
    if rows.size:
        largest, rest = _logsumexp(logits[rows])
        p = np.exp(logits[rows] - largest - rest)
        p[np.arange(rows.size), targets[rows]] -= 1
        grad[rows] = p / p.dtype.type(rows.size)
    return grad
