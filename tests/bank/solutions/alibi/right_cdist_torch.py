"""Right. torch.cdist with p=1 measures the distances, torch.logspace makes the slopes."""
import torch


def _geometric(count):
    return torch.logspace(-8.0 / count, -8.0, count, base=2.0, dtype=torch.float64)


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    n = 1
    while 2 * n <= num_heads:
        n *= 2
    slopes = _geometric(n)
    if n < num_heads:
        between = torch.exp2(-8.0 * torch.arange(1, 2 * (num_heads - n), 2, dtype=torch.float64) / (2 * n))
        slopes = torch.cat([slopes, between])
    keys = torch.arange(key_len, dtype=torch.float64)[:, None]
    queries = torch.arange(key_len - query_len, key_len, dtype=torch.float64)[:, None]
    distance = torch.cdist(queries, keys, p=1.0)
    return torch.einsum("h,ls->hls", slopes.neg(), distance).to(torch.float32)
