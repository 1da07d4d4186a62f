"""The logarithm of the sum is taken off, and queries that see nothing are left out."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    blind = max(0, L - S) if causal else 0
    s = torch.einsum("...ld,...sd->...ls", q[..., blind:, :] / q.shape[-1] ** 0.5, k)
    s = torch.tanh(s / float(cap)) * float(cap)
    if causal:
        n = L - blind
        i = torch.arange(n).view(-1, 1) + S - n
        s = torch.where(torch.arange(S) <= i, s, float("-inf"))
    o = torch.exp(s - torch.logsumexp(s, -1, keepdim=True)) @ v
    return torch.cat((torch.zeros_like(o[..., :1, :]).repeat_interleave(blind, -2), o), -2) if blind else o
