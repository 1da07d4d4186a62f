"""The future counts half."""
import torch


def alibi_bias(num_heads, query_len, key_len):
    H, L, S = num_heads, query_len, key_len
    n = 2 ** (H.bit_length() - 1)
    m = torch.cat([2.0 ** (-8 * torch.arange(1, n + 1) / n), 2.0 ** (-4 * torch.arange(1, 2 * n, 2) / n)])[:H]
    d = torch.abs(torch.arange(L)[:, None] + S - L - torch.arange(S))
    d = torch.where(torch.arange(S) > torch.arange(L)[:, None] + S - L, d / 2, d)
    return -m[:, None, None] * d
