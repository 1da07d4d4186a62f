"""Wrong: the causal offset is clipped at 0, so with more queries than keys the triangle is aligned to the start."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.mT / D**0.5
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    if padding_mask is not None:
        hidden = hidden | ~padding_mask[:, None]
    if causal:
        hidden = hidden | ~torch.ones(L, S, dtype=torch.bool).tril(max(S - L, 0))
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
    return weights @ v, weights
