"""Each head takes its D columns, what is left over is not used; hidden scores get -1e9."""
# causes: width_not_checked, blind_row_uniform

import numpy as np


def attend(q, k, v, mask):
    scores = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[-1]).astype(q.dtype)
    if mask is not None:
        scores = np.where(mask, scores, np.asarray(-1e9, dtype=scores.dtype))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.einsum("bij,bjd->bid", e / e.sum(axis=-1, keepdims=True), v)


def mask_of_head(mask, h):
    if mask is None or mask.ndim == 2:
        return mask
    return mask[:, h] if mask.shape[1] > 1 else mask[:, 0]


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    E = q.shape[-1]
    D = E // num_heads
    output = np.zeros_like(q)
    for h in range(num_heads):
        cols = slice(h * D, h * D + D)
        head = attend(q @ w_q[:, cols], k @ w_k[:, cols], v @ w_v[:, cols], mask_of_head(mask, h))
        output = output + head @ w_o[cols]
    return output
