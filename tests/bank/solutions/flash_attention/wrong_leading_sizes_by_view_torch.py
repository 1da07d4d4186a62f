"""The leading sizes are flattened with view, which refuses what a transposition made."""
import math

import torch


def flash_attention(q, k, v, block_size, causal=False):
    lead = q.shape[:-2]
    q, k, v = (x.view(-1, *x.shape[-2:]) for x in (q, k, v))
    output = _flat(q, k, v, block_size, causal)
    return output.view(*lead, *output.shape[-2:])


def _flat(q, k, v, block_size, causal):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    last = torch.arange(L)[:, None] + S - L  # (L, 1), the last key that each query may see

    maximum = q.new_full((*q.shape[:-1], 1), -math.inf)  # (..., L, 1), of the scores so far
    total = q.new_zeros((*q.shape[:-1], 1))  # (..., L, 1), of their exponentials
    output = q.new_zeros((*q.shape[:-1], v.shape[-1]))  # (..., L, Dv), not yet normalised
    for start in range(0, S, block_size):
        keys = k[..., start : start + block_size, :]  # (..., n, D), n <= block_size
        values = v[..., start : start + block_size, :]  # (..., n, Dv)
        scores = q @ keys.transpose(-2, -1) / math.sqrt(D)  # (..., L, n)
        if causal:
            positions = start + torch.arange(keys.shape[-2])
            scores = torch.where(positions <= last, scores, -math.inf)

        higher = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        shift = torch.where(torch.isneginf(higher), 0, higher)  # -inf - -inf would be NaN
        factor = torch.exp(maximum - shift)  # makes what is there relative to the new maximum
        weights = torch.exp(scores - shift)  # (..., L, n)
        total = total * factor + weights.sum(dim=-1, keepdim=True)
        output = output * factor + weights @ values
        maximum = higher
    return output / torch.where(total == 0, 1, total)  # a query that sees nothing keeps its 0
