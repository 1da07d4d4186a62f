"""torch.nn.functional all the way; heads by unflatten."""

import torch
import torch.nn.functional as F


def gpt(tokens, weights, config):
    heads = config["num_heads"]
    table, places = weights["embedding"], weights["positions"]
    n = tokens.size(1)
    if n > places.size(0):
        raise ValueError("text longer than the context")

    def norm(x, p):
        return F.layer_norm(x, x.shape[-1:], p["gain"], p["bias"], eps=float(config["eps"]))

    later = torch.ones(n, n, dtype=torch.bool, device=table.device).triu(1)
    x = F.embedding(tokens.long(), table) + places.narrow(0, 0, n)
    for layer in weights["layers"]:
        h = norm(x, layer["norm_1"])
        q, k, v = ((h @ layer[w]).unflatten(-1, (heads, -1)).transpose(1, 2) for w in ("w_q", "w_k", "w_v"))
        s = (q @ k.mT) / q.size(-1) ** 0.5
        a = s.masked_fill(later, float("-inf")).softmax(-1)
        x = x + (a @ v).transpose(1, 2).flatten(-2) @ layer["w_o"]
        x = x + F.gelu(norm(x, layer["norm_2"]) @ layer["w_in"], approximate="tanh") @ layer["w_out"]
    return F.linear(norm(x, weights["norm"]), table)
