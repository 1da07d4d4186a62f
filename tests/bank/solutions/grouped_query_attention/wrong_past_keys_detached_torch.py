"""Under the causal rule, keys before the first query get no gradient."""

import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError
    if causal and L < S:
        k = torch.cat([k[:, :, : S - L].detach(), k[:, :, S - L :]], 2)
    k = k.repeat_interleave(H // G, 1)
    v = v.repeat_interleave(H // G, 1)
    s = q @ k.mT / D**0.5
    if causal:
        hid = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1)
        s = s.masked_fill(hid, torch.finfo(s.dtype).min)
    p = s.softmax(-1)
    if causal:
        p = p.masked_fill(hid, 0)
    return p @ v
