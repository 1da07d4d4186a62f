"""Right. Masked arrays say which places count; the mean of nothing is filled with 0."""
import numpy as np


def _centred(logits):
    return logits - logits.max(axis=1, keepdims=True)


def _places(targets, ignore_index):
    hidden = np.ma.masked_equal(targets, ignore_index, copy=True)
    ignored = np.ma.getmaskarray(hidden)
    return ignored, np.where(ignored, 0, targets)


def cross_entropy(logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100) -> np.floating:
    ignored, word = _places(targets, ignore_index)
    z = _centred(logits)
    with np.errstate(divide="ignore"):
        total = np.log(np.exp(z).sum(axis=1))
    picked = np.take_along_axis(z, word[:, None], axis=1)[:, 0]
    picked = np.where(ignored, 0, picked).astype(logits.dtype)
    surprise = np.ma.array(total - picked, mask=ignored)
    if surprise.count() == 0:
        return logits.dtype.type(0)
    return logits.dtype.type(surprise.mean())


def cross_entropy_backward(
    logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100
) -> np.ndarray:
    ignored, word = _places(targets, ignore_index)
    z = _centred(logits)
    p = np.exp(z)
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(word)), word] -= 1
    p[ignored] = 0
    return p / max(int((~ignored).sum()), 1)
