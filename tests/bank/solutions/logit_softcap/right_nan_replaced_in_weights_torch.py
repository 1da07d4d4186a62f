# NaN of rows that see nothing is replaced in the weights; the fill before the softmax lets none through to q and k
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    s = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    s = cap * torch.tanh(s / cap)
    if causal:
        hidden = torch.ones(L, S, dtype=torch.bool, device=q.device).triu(S - L + 1)
        s = s.masked_fill(hidden, float("-inf"))
    w = torch.softmax(s, dim=-1)
    w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
    return torch.einsum("...ij,...jd->...id", w, v)
