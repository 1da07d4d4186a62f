"""Text by text, head by head, token by token."""

import math

import numpy as np


def normed(x, p, eps):
    out = np.empty_like(x)
    for i, row in enumerate(x):
        row = row - row.mean()
        out[i] = row / np.sqrt((row * row).mean() + eps)
    return out * p["gain"] + p["bias"]


def one(text, weights, config):
    H, eps = config["num_heads"], config["eps"]
    x = np.stack([weights["embedding"][t] + weights["positions"][i] for i, t in enumerate(text)])
    D = x.shape[1] // H
    for layer in weights["layers"]:
        y = normed(x, layer["norm_1"], eps)
        q, k, v = y @ layer["w_q"], y @ layer["w_k"], y @ layer["w_v"]
        found = np.zeros_like(x)
        for h in range(H):
            part = slice(h * D, (h + 1) * D)
            for i in range(len(x)):
                s = k[: i + 1, part] @ q[i, part] / math.sqrt(D)
                w = np.exp(s - s.max())
                found[i, part] = w @ v[: i + 1, part] / w.sum()
        x = x + found @ layer["w_o"]
        z = normed(x, layer["norm_2"], eps) @ layer["w_in"]
        u = math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)
        x = x + (z * (1 + np.tanh(u)) / 2) @ layer["w_out"]
    return normed(x, weights["norm"], eps) @ weights["embedding"].T


def gpt(tokens, weights, config):
    if tokens.shape[1] > len(weights["positions"]):
        raise ValueError(tokens.shape)
    return np.stack([one(text, weights, config) for text in tokens])
