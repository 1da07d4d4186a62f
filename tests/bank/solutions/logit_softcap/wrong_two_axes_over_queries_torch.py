"""Without leading sizes the softmax runs over the queries."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    s = cap * torch.tanh(q @ k.mT / D**0.5 / cap)
    w = s.masked_fill(~keep, torch.finfo(s.dtype).min).softmax(0 if s.dim() == 2 else -1) * keep
    return w @ v
