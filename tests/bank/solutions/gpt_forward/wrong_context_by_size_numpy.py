"""The text is compared with all numbers of the positions instead of their rows."""
import numpy as np


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def layer_norm(x, gain, bias, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    var = np.var(x, axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(var + eps) + bias


def mha(x, L, H):
    n = len(x)
    mask = np.triu(np.full((n, n), -1e10), 1)
    outs = []
    for q, k, v in zip(*(np.split(x @ L[w], H, axis=-1) for w in ("w_q", "w_k", "w_v"))):
        outs.append(softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask).astype(x.dtype) @ v)
    return np.hstack(outs) @ L["w_o"]


def gpt(tokens, weights, config):
    n = tokens.shape[1]
    if n > weights["positions"].size:
        raise ValueError(f"{n} tokens")
    out = []
    for text in tokens:
        x = weights["embedding"][text] + weights["positions"][:n]
        for L in weights["layers"]:
            x = x + mha(layer_norm(x, **L["norm_1"], eps=config["eps"]), L, config["num_heads"])
            x = x + gelu(layer_norm(x, **L["norm_2"], eps=config["eps"]) @ L["w_in"]) @ L["w_out"]
        out.append(layer_norm(x, **weights["norm"], eps=config["eps"]) @ weights["embedding"].T)
    return np.stack(out).astype(weights["embedding"].dtype)
