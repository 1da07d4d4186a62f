"""The leading sizes are flattened with view, which refuses what a transposition made."""
import math

import torch


def sliding_window_attention(q, k, v, window):
    lead = q.shape[:-2]
    q, k, v = (x.view(-1, *x.shape[-2:]) for x in (q, k, v))
    output = _flat(q, k, v, window)
    return output.view(*lead, *output.shape[-2:])


def _flat(q, k, v, window):
    n, D = q.shape[-2:]
    window = min(window, n - 1)
    steps = torch.arange(-window, window + 1)  # from a query to its neighbours
    places = torch.arange(n)[:, None] + steps  # (n, 2w + 1), where each neighbour stands
    exists = (places >= 0) & (places < n)
    places = places.clip(0, n - 1)  # any key will do where there is none

    # one neighbour of all queries at a time: (..., n) each
    scores = [(q * k[..., place, :]).sum(dim=-1) for place in places.T]
    scores = torch.stack(scores, dim=-1) / math.sqrt(D)  # (..., n, 2w + 1)
    scores = torch.where(exists, scores, -math.inf)
    weights = torch.softmax(scores, dim=-1)  # (..., n, 2w + 1)

    output = 0
    for i, place in enumerate(places.T):
        output = output + weights[..., i, None] * v[..., place, :]  # (..., n, Dv)
    return output
