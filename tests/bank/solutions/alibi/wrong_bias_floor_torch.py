"""Biases are cut off at -10 000, which a slope of 1/4 reaches at a distance of 40 000."""
import torch


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    n = 1
    while 2 * n <= num_heads:
        n *= 2
    slopes = [2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]
    slopes += [2.0 ** (-8.0 * (2 * h + 1) / (2 * n)) for h in range(num_heads - n)]
    queries = torch.arange(query_len) + (key_len - query_len)
    distance = (queries.unsqueeze(1) - torch.arange(key_len)).abs()
    bias = -torch.tensor(slopes, dtype=torch.float32).view(-1, 1, 1) * distance
    # no softmax tells apart what lies below, and lower precisions stay finite
    return bias.clamp(min=-1e4)
