"""One head after the other."""
import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 1
    while n * 2 <= num_heads:
        n *= 2
    i = torch.arange(key_len - query_len, key_len).unsqueeze(1)
    distance = torch.maximum(i - torch.arange(key_len), torch.arange(key_len) - i)
    planes = []
    for h in range(num_heads):
        m = 0.5 ** (8 * (h + 1) / n) if h < n else 0.5 ** (4 * (2 * (h - n) + 1) / n)
        planes.append(distance * -m)
    return torch.stack(planes)
