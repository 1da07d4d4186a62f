"""More than two leading sizes are folded into two, and stay so."""
import torch
import torch.nn.functional as F


def softcapped_attention(q, k, v, cap, causal=False):
    lead = q.shape[:-2]
    if len(lead) > 2:
        lead = (lead[0], int(np_prod(lead[1:])))
        q, k, v = (t.reshape(*lead, *t.shape[-2:]) for t in (q, k, v))
    s = (q @ k.mT) / q.size(-1) ** 0.5
    s = cap * torch.tanh(s / cap)
    L, S = s.shape[-2:]
    if not causal:
        return s.softmax(-1) @ v
    hide = torch.ones_like(s, dtype=torch.bool).triu(S - L + 1)
    w = F.softmax(s.masked_fill(hide, torch.finfo(s.dtype).min), -1)
    return w.masked_fill(hide, 0) @ v


def np_prod(sizes):
    n = 1
    for x in sizes:
        n *= x
    return n
