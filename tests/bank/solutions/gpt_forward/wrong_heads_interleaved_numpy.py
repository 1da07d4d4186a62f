"""Every H-th column belongs to a head."""

import numpy as np


def norm(x, p, eps):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + eps) * p["gain"] + p["bias"]


def gelu(z):
    return 0.5 * z * (1 + np.tanh((2 / np.pi) ** 0.5 * (z + 0.044715 * z * z * z)))


def gpt(tokens, weights, config):
    emb, pos = weights["embedding"], weights["positions"]
    B, n = tokens.shape
    if n > len(pos):
        raise ValueError("the text is longer than the context")
    H, eps = config["num_heads"], config["eps"]
    E = emb.shape[1]
    x = emb[tokens] + pos[:n]
    for layer in weights["layers"]:
        y = norm(x, layer["norm_1"], eps)
        q, k, v = ((y @ layer[w]).reshape(B, n, E // H, H) for w in ("w_q", "w_k", "w_v"))
        s = np.einsum("bidh,bjdh->bhij", q, k) / np.sqrt(E // H).astype(y.dtype)
        s = np.where(np.tri(n, dtype=bool), s, -np.inf)
        s = np.exp(s - s.max(-1, keepdims=True))
        s = s / s.sum(-1, keepdims=True)
        x = x + np.einsum("bhij,bjdh->bidh", s, v).reshape(B, n, E) @ layer["w_o"]
        x = x + gelu(norm(x, layer["norm_2"], eps) @ layer["w_in"]) @ layer["w_out"]
    return norm(x, weights["norm"], eps) @ emb.T
