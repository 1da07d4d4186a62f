"""The gradient of shared keys is averaged over their heads."""
import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError("groups")
    share = H // G
    k, v = (x.repeat_interleave(share, 1) for x in (k / share + (1 - 1 / share) * k.detach(), v))
    s = q @ k.mT / D**0.5
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    w = s.masked_fill(~keep, torch.finfo(s.dtype).min).softmax(-1) * keep
    return w @ v
