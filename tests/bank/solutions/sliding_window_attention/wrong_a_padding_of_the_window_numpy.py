# wrong: as many rows are padded on each side as the window is wide, also where it is far wider than the sequence
import numpy as np


def sliding_window_attention(q, k, v, window):
    n, D = q.shape[-2:]
    rest = [(0, 0)] * (q.ndim - 2) + [(window, window), (0, 0)]
    k, v = np.pad(k, rest), np.pad(v, rest)
    far = np.pad(np.zeros(n, bool), window, constant_values=True)
    view = np.lib.stride_tricks.sliding_window_view
    near = view(k, 2 * window + 1, axis=-2)  # (..., n, D, 2w + 1)
    scores = (q[..., None, :] @ near)[..., 0, :] / np.sqrt(q.dtype.type(D))
    scores = np.where(view(far, 2 * window + 1), -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (view(v, 2 * window + 1, axis=-2) @ weights[..., None])[..., 0]
