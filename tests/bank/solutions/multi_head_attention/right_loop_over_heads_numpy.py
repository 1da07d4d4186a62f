"""One head after another, columns cut by slices; -inf, then NaN rows filled with 0."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    b, l, e = q.shape
    s = k.shape[1]
    d, rest = divmod(e, num_heads)
    if rest:
        raise ValueError(f"{e} % {num_heads} != 0")
    full = None if mask is None else np.broadcast_to(mask, (b, num_heads, l, s))
    parts = []
    for h in range(num_heads):
        cut = slice(h * d, (h + 1) * d)
        qh, kh, vh = q @ w_q[:, cut], k @ w_k[:, cut], v @ w_v[:, cut]
        qh, kh = qh / d**0.25, kh / d**0.25
        scores = np.matmul(qh, np.transpose(kh, (0, 2, 1)))
        if full is not None:
            scores[~full[:, h]] = -np.inf
            blind = ~full[:, h].any(-1, keepdims=True)
        else:
            blind = np.zeros((b, l, 1), bool)
        scores = np.where(blind, 0, scores)
        e_ = np.exp(scores - scores.max(-1, keepdims=True))
        weights = np.where(blind, 0, e_ / e_.sum(-1, keepdims=True))
        parts.append(weights @ vh)
    return np.concatenate(parts, -1) @ w_o
