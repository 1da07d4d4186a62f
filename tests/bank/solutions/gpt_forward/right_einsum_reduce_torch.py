# functools.reduce over the layers, weights folded into heads by reshape, einsum with unusual subscripts, log-space softmax
from functools import reduce

import torch


def _norm(x, part, eps):
    middle = x.mean(dim=-1, keepdim=True)
    away = x - middle
    var = away.pow(2).mean(dim=-1, keepdim=True)
    return away * torch.rsqrt(var + eps) * part["gain"] + part["bias"]


def _gelu(z):
    inner = (2.0 / torch.pi) ** 0.5 * z * (1.0 + 0.044715 * z * z)
    return z * 0.5 * (1.0 + torch.tanh(inner))


def _heads(x, w, heads):
    return torch.einsum("tme,ehd->thmd", x, w.reshape(w.shape[0], heads, -1))


def gpt(tokens, weights, config):
    heads, eps = config["num_heads"], config["eps"]
    embedding, positions = weights["embedding"], weights["positions"]
    n = tokens.shape[1]
    if positions.shape[0] < n:
        raise ValueError("too many tokens for this context")
    index = torch.arange(n, device=embedding.device)
    visible = index[:, None] >= index[None, :]

    def layer(x, part):
        y = _norm(x, part["norm_1"], eps)
        q = _heads(y, part["w_q"], heads)
        k = _heads(y, part["w_k"], heads)
        v = _heads(y, part["w_v"], heads)
        s = torch.einsum("thmd,thsd->thms", q, k) / q.shape[-1] ** 0.5
        s = torch.where(visible, s, torch.full_like(s, torch.finfo(s.dtype).min))
        a = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
        mixed = torch.einsum("thms,thsd->tmhd", a, v)
        w_o = part["w_o"].reshape(heads, -1, part["w_o"].shape[1])
        x = x + torch.einsum("tmhd,hde->tme", mixed, w_o)
        return x + _gelu(_norm(x, part["norm_2"], eps) @ part["w_in"]) @ part["w_out"]

    start = embedding.index_select(0, tokens.reshape(-1).long())
    start = start.reshape(*tokens.shape, -1) + positions.index_select(0, index)
    final = _norm(reduce(layer, weights["layers"], start), weights["norm"], eps)
    return torch.einsum("tme,we->tmw", final, embedding)
