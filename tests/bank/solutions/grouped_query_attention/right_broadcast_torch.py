"""An axis of size one broadcasts over the heads of a group."""
import torch


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("groups")
    s = q.reshape(B, G, H // G, L, D) @ k.unsqueeze(2).mT / D**0.5
    keep = torch.ones(L, S, dtype=torch.bool)
    keep = torch.tril(keep, S - L) if causal else keep
    s = torch.where(keep, s, -1e30)
    e = torch.exp(s - s.amax(-1, keepdim=True).detach()) * keep
    w = e / e.sum(-1, keepdim=True).clamp(min=1e-12)
    return (w @ v.unsqueeze(2)).reshape(B, H, L, v.shape[-1])
