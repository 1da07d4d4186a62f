"""All pairs at once, by a product of all gates for queries and a quotient for keys."""
# causes: all_pairs, divided_by_products

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    b = gates.cumprod(dim=2)
    scores = torch.einsum("bhid,bhjd->bhij", q * b, k / b)
    return torch.tril(scores) @ v
