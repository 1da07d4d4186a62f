"""Cast to float first so that the types agree."""
# causes: float32_results, divided_by_d

import torch


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    q, k, v = queries.float(), keys.float(), values.float()
    weights = torch.softmax(q @ k.T / q.shape[1], dim=-1)
    return (weights @ v).to(queries.dtype), weights.to(queries.dtype)
