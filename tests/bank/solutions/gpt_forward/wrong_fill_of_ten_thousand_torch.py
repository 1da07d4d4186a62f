"""What is hidden gets -10 000, as low as a score may be."""

import torch
import torch.nn.functional as F


def gpt(tokens, weights, config):
    E = weights["embedding"].shape[-1]
    H = config["num_heads"]
    B, n = tokens.shape
    if n > weights["positions"].size(0):
        raise ValueError
    ln = lambda x, p: F.layer_norm(x, (E,), p["gain"], p["bias"], config["eps"])
    x = weights["embedding"][tokens] + weights["positions"][:n]
    for l in weights["layers"]:
        h = ln(x, l["norm_1"])
        q, k, v = ((h @ l[w]).reshape(B, n, H, -1).transpose(1, 2) for w in ("w_q", "w_k", "w_v"))
        s = q @ k.mT / (E // H) ** 0.5
        s = s.masked_fill(torch.ones(n, n).triu(1) == 1, -1e4)
        x = x + (s.softmax(-1) @ v).transpose(1, 2).reshape(B, n, E) @ l["w_o"]
        x = x + F.gelu(ln(x, l["norm_2"]) @ l["w_in"], approximate="tanh") @ l["w_out"]
    return ln(x, weights["norm"]) @ weights["embedding"].T
