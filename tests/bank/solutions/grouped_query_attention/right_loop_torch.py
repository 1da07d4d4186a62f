"""A loop over heads, stacked."""
import torch


def grouped_query_attention(q, k, v, causal=False):
    H, L, D = q.shape[1:]
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError("groups")
    outs = []
    for h in range(H):
        kh, vh = k[:, h // (H // G)], v[:, h // (H // G)]
        s = q[:, h] @ kh.transpose(1, 2) / D**0.5
        if causal:
            hide = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1)
            w = s.masked_fill(hide, -1e9).softmax(-1).masked_fill(hide, 0.0)
        else:
            w = s.softmax(-1)
        outs.append(w @ vh)
    return torch.stack(outs, 1)
