"""Hidden scores are filled with twice the cap below 0."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    s = cap * torch.tanh(q @ k.mT / D**0.5 / cap)
    w = s.masked_fill(~keep, -2.0 * cap).softmax(-1) * keep.any(-1, keepdim=True)
    return w @ v
