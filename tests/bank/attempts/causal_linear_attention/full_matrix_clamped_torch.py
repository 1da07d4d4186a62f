"""I make the matrix of feature products and hide the upper triangle; entries are limited to 50 to be safe."""
# causes: masked_matrix, entries_clipped

import torch


def causal_linear_attention(q, k, v):
    def phi(x):
        x = x.clamp(-50, 50)
        return torch.where(x > 0, x + 1, torch.exp(x))

    n = q.shape[1]
    a = phi(q) @ phi(k).transpose(1, 2)
    future = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
    a = a.masked_fill(future, 0.0)
    a = a / a.sum(dim=-1, keepdim=True)
    return a @ v
