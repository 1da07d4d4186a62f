"""einsum; scale and cap in one factor; where for the mask."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = cap * torch.einsum("...ld,...sd->...ls", q / (cap * D**0.5), k).tanh()
    keep = torch.arange(S) <= torch.arange(L)[:, None] + S - L if causal else torch.ones(L, S).bool()
    w = torch.where(keep, s, -1e30).softmax(-1) * keep
    return torch.einsum("...ls,...sv->...lv", w, v)
