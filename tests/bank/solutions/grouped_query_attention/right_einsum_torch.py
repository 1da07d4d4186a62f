"""einsum over groups and heads within a group."""
import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError("groups")
    s = torch.einsum("bgrld,bgsd->bgrls", q.unflatten(1, (G, H // G)), k) * D**-0.5
    if causal:
        future = torch.arange(S) > torch.arange(L)[:, None] + S - L
        s = s.masked_fill(future, float("-inf"))
        w = torch.softmax(s, -1).masked_fill(future, 0)
    else:
        w = torch.softmax(s, -1)
    return torch.einsum("bgrls,bgsv->bgrlv", w, v).flatten(1, 2)
