# wrong: keys go by in chunks of 64; where the first 64 keys are all hidden (long left padding) the running maximum is -inf, and the row becomes NaN and then zeros
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    sees = np.ones((B, L, S), dtype=bool)
    if padding_mask is not None:
        sees &= padding_mask[:, None, :]
    if causal:
        sees &= np.tri(L, S, S - L, dtype=bool)
    s = np.where(sees, q @ k.swapaxes(1, 2) / np.sqrt(D).astype(q.dtype), -np.inf)
    top = s[..., :64].max(-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        total = np.exp(s[..., :64] - top).sum(-1, keepdims=True)
        for lo in range(64, S, 64):
            new = np.maximum(top, s[..., lo : lo + 64].max(-1, keepdims=True))
            total = total * np.exp(top - new) + np.exp(s[..., lo : lo + 64] - new).sum(-1, keepdims=True)
            top = new
        w = np.exp(s - top) / total
    w = np.nan_to_num(w, nan=0.0)
    return w @ v, w
