"""Breaks "float64 in, float64 out" for a query that sees nothing: its zeros have the default dtype.
Shows with float64 blocks that are all -inf: the result is float32."""
import torch


def online_softmax(blocks: list[torch.Tensor]) -> torch.Tensor:
    m, l = float("-inf"), 0.0
    for x in blocks:
        new = max(m, x.max().item())
        if new > float("-inf"):
            old = 0.0 if l == 0.0 else torch.exp(torch.tensor(m - new, dtype=torch.float64)).item()
            l = l * old + torch.exp(x - new).sum().item()
            m = new
    if l == 0.0:
        return torch.zeros(sum(x.numel() for x in blocks))
    return torch.cat([torch.exp(x - m) / l for x in blocks])
