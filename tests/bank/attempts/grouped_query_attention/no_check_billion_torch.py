"""No check, -1e9 for the future."""
# causes: groups_not_checked, hidden_row_uniform

import torch


def grouped_query_attention(q, k, v, causal=False):
    times = q.shape[1] // k.shape[1]
    k = torch.repeat_interleave(k, times, 1)
    v = torch.repeat_interleave(v, times, 1)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if causal:
        L, S = q.shape[2], k.shape[2]
        i, j = torch.arange(L)[:, None], torch.arange(S)
        scores = scores.masked_fill(j > i + S - L, -1e9)
    return scores.softmax(-1) @ v
