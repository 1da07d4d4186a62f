"""Text by text, head by head, query by query: each query has only the keys it may see."""

import numpy as np


def _norm(x, p, eps):
    out = np.subtract(x, np.mean(x, axis=1)[:, None])
    spread = np.einsum("ne,ne->n", out, out) / out.dtype.type(x.shape[1])
    out /= np.sqrt(spread + out.dtype.type(eps))[:, None]
    out *= p["gain"]
    out += p["bias"]
    return out


def _attend(h, layer, heads):
    q, k, v = h @ layer["w_q"], h @ layer["w_k"], h @ layer["w_v"]
    n, width = h.shape
    size = width // heads
    mixed = np.empty_like(q)
    for first in range(0, width, size):
        cut = slice(first, first + size)
        for i in range(n):
            scores = (k[: i + 1, cut] @ q[i, cut]) / size ** 0.5
            scores -= scores.max()
            np.exp(scores, out=scores)
            mixed[i, cut] = (scores @ v[: i + 1, cut]) / scores.sum()
    return mixed @ layer["w_o"]


def _gelu(z):
    t = np.tanh(0.7978845608028654 * (z + 0.044715 * z ** 3))
    t += 1
    t *= z
    t /= 2
    return t


def gpt(tokens, weights, config):
    eps, heads = config["eps"], config["num_heads"]
    batch, n = tokens.shape
    table, places = weights["embedding"], weights["positions"]
    if n > len(places):
        raise ValueError("the text is longer than the context")
    logits = np.empty((batch, n, len(table)), dtype=table.dtype)
    for b in range(batch):
        x = np.take(table, tokens[b], axis=0)
        x += places[:n]
        for layer in weights["layers"]:
            x += _attend(_norm(x, layer["norm_1"], eps), layer, heads)
            x += _gelu(_norm(x, layer["norm_2"], eps) @ layer["w_in"]) @ layer["w_out"]
        np.matmul(_norm(x, weights["norm"], eps), table.T, out=logits[b])
    return logits
