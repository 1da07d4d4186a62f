"""A small eps becomes larger."""

import numpy as np


def gpt(tokens, weights, config):
    H, eps = config["num_heads"], max(config["eps"], 1e-6)
    E = weights["embedding"].shape[1]
    B, n = tokens.shape
    if n > len(weights["positions"]):
        raise ValueError("too long")

    def norm(x, p):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * p["gain"] + p["bias"]

    x = weights["embedding"][tokens] + weights["positions"][:n]
    for l in weights["layers"]:
        y = norm(x, l["norm_1"])
        q, k, v = (
            ((y @ l[w]).reshape(B, n, H, E // H)).transpose(0, 2, 1, 3)
            for w in ("w_q", "w_k", "w_v")
        )
        s = q @ k.swapaxes(-1, -2) / np.sqrt(E // H).astype(x.dtype)
        s = np.where(np.tri(n, dtype=bool), s, -np.inf)
        a = np.exp(s - s.max(-1, keepdims=True))
        a /= a.sum(-1, keepdims=True)
        x = x + (a @ v).transpose(0, 2, 1, 3).reshape(B, n, E) @ l["w_o"]
        z = norm(x, l["norm_2"]) @ l["w_in"]
        x = x + (z / 2 * (1 + np.tanh((2 / np.pi) ** 0.5 * (z + 0.044715 * z**3)))) @ l["w_out"]
    return norm(x, weights["norm"]) @ weights["embedding"].T
