# wrong: the root of 2/pi is written as 0.79788, off by 6e-6 of itself; with float64 weights the logits are right to five digits or so only
import numpy as np


def _gelu(z):
    return z / 2 * (1 + np.tanh(0.79788 * (z + 0.044715 * z**3)))


def _norm(x, p, eps):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(x.var(-1, keepdims=True) + eps) * p["gain"] + p["bias"]


def _attend(h, w, H):
    B, n, E = h.shape
    q, k, v = ((h @ w[m]).reshape(B, n, H, E // H) for m in ("w_q", "w_k", "w_v"))
    s = np.einsum("bihd,bjhd->bhij", q, k) / (E // H) ** 0.5
    s = np.where(np.tri(n, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    a = e / e.sum(-1, keepdims=True)
    return np.einsum("bhij,bjhd->bihd", a, v).reshape(B, n, E) @ w["w_o"]


def gpt(tokens, weights, config):
    n, eps = tokens.shape[1], config["eps"]
    if n > weights["positions"].shape[0]:
        raise ValueError("text longer than the context")
    x = weights["embedding"][tokens] + weights["positions"][:n]
    for w in weights["layers"]:
        x = x + _attend(_norm(x, w["norm_1"], eps), w, config["num_heads"])
        x = x + _gelu(_norm(x, w["norm_2"], eps) @ w["w_in"]) @ w["w_out"]
    return _norm(x, weights["norm"], eps) @ weights["embedding"].T
