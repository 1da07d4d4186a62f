"""Head by head; the dtype's lowest number hides."""

import torch
import torch.nn.functional as F


def gpt(tokens, weights, config):
    _B, n = tokens.shape
    if n > weights["positions"].shape[0]:
        raise ValueError("the text is too long")
    H, eps = config["num_heads"], config["eps"]
    x = F.embedding(tokens, weights["embedding"]) + weights["positions"][:n]
    E = x.shape[-1]
    mask = torch.ones(n, n).triu(1).bool()
    for layer in weights["layers"]:
        y = F.layer_norm(x, (E,), layer["norm_1"]["gain"], layer["norm_1"]["bias"], eps)
        q, k, v = (torch.chunk(y @ layer[w], H, dim=-1) for w in ("w_q", "w_k", "w_v"))
        heads = []
        for h in range(H):
            att = torch.bmm(q[h], k[h].mT) / q[h].shape[-1] ** 0.5
            att = torch.where(mask, torch.finfo(att.dtype).min, att)
            heads.append(torch.bmm(att.softmax(-1), v[h]))
        x = x + torch.cat(heads, dim=-1) @ layer["w_o"]
        y = F.layer_norm(x, (E,), layer["norm_2"]["gain"], layer["norm_2"]["bias"], eps)
        x = x + F.gelu(y @ layer["w_in"], approximate="tanh") @ layer["w_out"]
    x = F.layer_norm(x, (E,), weights["norm"]["gain"], weights["norm"]["bias"], eps)
    return F.linear(x, weights["embedding"])
