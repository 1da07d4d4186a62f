"""Heads are a reshape to (B, H, n, D), and the scores are divided by the root of the model width."""
# causes: split_without_transpose|merge_without_transpose, scale_of_model_width

import math

import numpy as np


class Block:
    def __init__(self, params, heads, eps):
        self.p, self.heads, self.eps = params, heads, eps

    def norm(self, x, which):
        return normalise(x, self.p[which], self.eps)

    def attend(self, x):
        B, n, E = x.shape
        H, D = self.heads, E // self.heads
        q = (x @ self.p["w_q"]).reshape(B, H, n, D)
        k = (x @ self.p["w_k"]).reshape(B, H, n, D)
        v = (x @ self.p["w_v"]).reshape(B, H, n, D)
        s = q @ k.swapaxes(2, 3) / math.sqrt(E)
        s = np.where(np.triu(np.ones((n, n), dtype=bool), 1), -np.inf, s)
        s = np.exp(s - s.max(-1, keepdims=True))
        w = s / s.sum(-1, keepdims=True)
        return (w @ v).reshape(B, n, E) @ self.p["w_o"]

    def __call__(self, x):
        x = x + self.attend(self.norm(x, "norm_1"))
        z = self.norm(x, "norm_2") @ self.p["w_in"]
        z = 0.5 * z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z * z * z)))
        return x + z @ self.p["w_out"]


def normalise(x, p, eps):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * p["gain"] + p["bias"]


def gpt(tokens: np.ndarray, weights: dict, config: dict) -> np.ndarray:
    n = tokens.shape[1]
    if n > weights["positions"].shape[0]:
        raise ValueError("too long")
    x = weights["embedding"][tokens] + weights["positions"][np.arange(n)]
    for params in weights["layers"]:
        x = Block(params, config["num_heads"], config["eps"])(x)
    return normalise(x, weights["norm"], config["eps"]) @ weights["embedding"].T
