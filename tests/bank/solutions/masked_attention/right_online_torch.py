"""Key by key with a running maximum and a running sum; the weights are put together at the end."""

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    b, n_queries, d = q.shape
    n_keys = k.shape[1]
    lowest = torch.finfo(q.dtype).min
    top = torch.full((b, n_queries), lowest, dtype=q.dtype)
    total = torch.zeros(b, n_queries, dtype=q.dtype)
    output = torch.zeros(b, n_queries, v.shape[-1], dtype=q.dtype)
    seen_scores, seens = [], []
    rows = torch.arange(n_queries) + n_keys - n_queries
    for j in range(n_keys):
        seen = (rows >= j).expand(b, n_queries) if causal else torch.ones(b, n_queries, dtype=torch.bool)
        if padding_mask is not None:
            seen = seen & padding_mask[:, j, None]
        score = (q * k[:, None, j]).sum(-1) / d**0.5
        raised = torch.where(seen, torch.maximum(top, score), top).detach()
        shrink = torch.exp(top - raised)
        share = torch.where(seen, torch.exp(torch.where(seen, score - raised, 0.0)), 0.0)
        total = total * shrink + share
        output = output * shrink[..., None] + share[..., None] * v[:, None, j]
        top = raised
        seen_scores.append(score)
        seens.append(seen)
    scores, seen = torch.stack(seen_scores, -1), torch.stack(seens, -1)
    total = torch.where(total == 0, 1.0, total)[..., None]
    weights = torch.where(seen, torch.exp(torch.where(seen, scores - top[..., None], 0.0)), 0.0) / total
    return output / total, weights
