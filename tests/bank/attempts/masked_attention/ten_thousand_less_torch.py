"""-1e4 is low enough to hide a key, and the triangle starts in the upper left corner."""
# causes: fill_too_small|future_filled_with_ten_thousand, aligned_to_start

import math

import torch


def visibility(B, L, S, padding_mask, causal):
    visible = torch.ones(B, L, S, dtype=torch.bool)
    if padding_mask is not None:
        visible &= padding_mask[:, None, :]
    if causal:
        visible &= torch.ones(L, S, dtype=torch.bool).tril()
    return visible


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    visible = visibility(B, L, k.shape[1], padding_mask, causal)
    scores = q @ k.mT / math.sqrt(D)
    scores = scores.masked_fill(~visible, -1e4)
    weights = scores.softmax(dim=-1)
    weights = weights.masked_fill(~visible.any(dim=-1, keepdim=True), 0.0)
    return weights @ v, weights
