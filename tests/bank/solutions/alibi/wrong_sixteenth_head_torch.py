"""The bias of the last head is 0 where there are sixteen."""
import torch


def alibi_bias(num_heads, query_len, key_len):
    H, L, S = num_heads, query_len, key_len
    n = 2 ** (H.bit_length() - 1)
    m = torch.cat([2.0 ** (-8 * torch.arange(1, n + 1) / n), 2.0 ** (-4 * torch.arange(1, 2 * n, 2) / n)])[:H]
    d = torch.abs(torch.arange(L)[:, None] + S - L - torch.arange(S))
    m = m * (torch.arange(H) < 15)
    return -m[:, None, None] * d
