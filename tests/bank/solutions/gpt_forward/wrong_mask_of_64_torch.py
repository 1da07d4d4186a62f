"""The causal mask is a constant of 64 x 64."""

import torch
import torch.nn.functional as F

CAUSAL = torch.ones(64, 64, dtype=torch.bool).tril()


def norm(x, p, eps):
    return F.layer_norm(x, x.shape[-1:], p["gain"], p["bias"], eps)


def gpt(tokens, weights, config):
    H, eps = config["num_heads"], float(config["eps"])
    table, places = weights["embedding"], weights["positions"]
    B, n = tokens.shape
    if n > places.shape[0]:
        raise ValueError("text longer than the context")
    E = table.shape[1]
    x = F.embedding(tokens, table) + places[:n]
    sees = CAUSAL[:n, :n]
    for layer in weights["layers"]:
        h = norm(x, layer["norm_1"], eps)
        q, k, v = ((h @ layer[w]).view(B, n, H, E // H).transpose(1, 2) for w in ("w_q", "w_k", "w_v"))
        s = q @ k.transpose(-1, -2) / (E // H) ** 0.5
        a = torch.softmax(s.masked_fill(~sees, float("-inf")), dim=-1)
        x = x + (a @ v).transpose(1, 2).reshape(B, n, E) @ layer["w_o"]
        x = x + F.gelu(norm(x, layer["norm_2"], eps) @ layer["w_in"], approximate="tanh") @ layer["w_out"]
    return norm(x, weights["norm"], eps) @ table.t()
