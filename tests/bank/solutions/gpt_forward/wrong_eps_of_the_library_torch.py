"""The eps of the library's default, twice as many times as asked."""

import torch
import torch.nn.functional as F


def gpt(tokens, weights, config):
    B, n = tokens.shape
    if n > weights["positions"].shape[0]:
        raise ValueError("the text is too long")
    H, eps = config["num_heads"], config["eps"]
    x = F.embedding(tokens, weights["embedding"]) + weights["positions"][:n]
    E = x.shape[-1]
    mask = torch.ones(n, n).triu(1).bool()
    for layer in weights["layers"]:
        y = F.layer_norm(x, (E,), layer["norm_1"]["gain"], layer["norm_1"]["bias"], eps)
        q, k, v = (
            (y @ layer[w]).view(B, n, H, E // H).transpose(1, 2) for w in ("w_q", "w_k", "w_v")
        )
        att = (q @ k.transpose(-2, -1)) * (E // H) ** -0.5
        att = att.masked_fill(mask, float("-inf")).softmax(dim=-1)
        x = x + (att @ v).transpose(1, 2).reshape(B, n, E) @ layer["w_o"]
        y = F.layer_norm(x, (E,), layer["norm_2"]["gain"], layer["norm_2"]["bias"], 1e-4)
        x = x + F.gelu(y @ layer["w_in"], approximate="tanh") @ layer["w_out"]
    x = F.layer_norm(x, (E,), weights["norm"]["gain"], weights["norm"]["bias"], eps)
    return F.linear(x, weights["embedding"])
