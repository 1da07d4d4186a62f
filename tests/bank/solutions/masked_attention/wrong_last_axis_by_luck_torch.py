"""Wrong: gives the padding mask no axis for the queries when the batch is as large as L, and lets it broadcast."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    scores = q @ k.mT / D**0.5
    seen = torch.ones_like(scores, dtype=torch.bool)
    if padding_mask is not None:
        seen = seen & (padding_mask if B == L else padding_mask.view(B, 1, S))
    if causal:
        seen = seen & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    weights = scores.masked_fill(~seen, -torch.inf).softmax(-1).masked_fill(~seen, 0)
    return weights @ v, weights
