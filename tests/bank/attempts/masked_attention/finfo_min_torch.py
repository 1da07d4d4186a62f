"""The smallest float on hidden keys, and nothing for a row that sees none."""
# causes: hidden_row_uniform

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    smallest = torch.finfo(scores.dtype).min
    if padding_mask is not None:
        scores = scores.masked_fill(~padding_mask.unsqueeze(1), smallest)
    if causal:
        L, S = scores.shape[-2:]
        allowed = torch.tril(torch.ones(L, S), diagonal=S - L).bool()
        scores = scores.masked_fill(~allowed, smallest)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
