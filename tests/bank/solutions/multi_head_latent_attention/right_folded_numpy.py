"""One matrix E x C for the questions of each head, and one C x E for its answers."""
import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError("not shared out evenly")
    H, C, E = num_heads, w_uk.shape[0], x.shape[2]
    D = w_uk.shape[1] // H
    ask = w_q.reshape(E, H, D).swapaxes(0, 1) @ w_uk.reshape(C, H, D).transpose(1, 2, 0)
    tell = w_uv.reshape(C, H, -1).swapaxes(0, 1) @ w_o.reshape(H, -1, E)
    new = x @ w_dkv
    c = new if past is None else np.append(past, new, axis=1)
    n, S = x.shape[1], c.shape[1]
    scores = (x[:, None] @ ask) @ np.swapaxes(c, 1, 2)[:, None] * D**-0.5
    scores[..., np.arange(S) > np.arange(S - n, S)[:, None]] = -np.inf
    scores -= scores.max(-1, keepdims=True)
    w = np.exp(scores, dtype=x.dtype)
    return ((w / w.sum(-1, keepdims=True)) @ c[:, None] @ tell).sum(1)
