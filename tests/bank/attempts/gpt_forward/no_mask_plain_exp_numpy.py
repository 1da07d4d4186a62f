"""No mask; exponentials over their sum."""
# causes: not_causal, no_maximum_subtracted

import math

import numpy as np


def norm(x, p, eps):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    return centred / np.sqrt(np.var(x, axis=-1, keepdims=True) + eps) * p["gain"] + p["bias"]


def softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


def gpt(tokens, weights, config):
    _B, n = tokens.shape
    if n > weights["positions"].shape[0]:
        raise ValueError("the text is too long")
    H, eps = config["num_heads"], config["eps"]
    x = weights["embedding"][tokens] + weights["positions"][np.arange(n)]
    for layer in weights["layers"]:
        y = norm(x, layer["norm_1"], eps)
        q, k, v = (
            np.stack(np.split(y @ layer[w], H, axis=-1), axis=1) for w in ("w_q", "w_k", "w_v")
        )
        scores = np.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
        heads = np.einsum("bhij,bhjd->bhid", softmax(scores), v)
        x = x + np.concatenate(list(heads.transpose(1, 0, 2, 3)), axis=-1) @ layer["w_o"]
        y = norm(x, layer["norm_2"], eps) @ layer["w_in"]
        y = y * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y * y * y)))
        x = x + y @ layer["w_out"]
    return np.einsum("bne,ve->bnv", norm(x, weights["norm"], eps), weights["embedding"])
