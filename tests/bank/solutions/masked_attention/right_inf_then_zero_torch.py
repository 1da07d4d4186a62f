"""Right: -inf as the fill, softmax, then hidden weights filled with 0 (the gradient stays finite)."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    b, l, d = q.shape
    s = k.size(1)
    hidden = torch.zeros(b, l, s, dtype=torch.bool)
    if padding_mask is not None:
        hidden |= ~padding_mask.unsqueeze(1)
    if causal:
        hidden |= torch.triu(torch.ones(l, s, dtype=torch.bool), diagonal=s - l + 1)
    scores = torch.bmm(q, k.mT).div(d**0.5).masked_fill(hidden, float("-inf"))
    weights = scores.softmax(-1).masked_fill(hidden, 0.0)
    return torch.bmm(weights, v), weights
