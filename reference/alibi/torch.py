"""Biases of ALiBi: Press et al. 2021, section 3, with the slopes of the authors' code."""

import torch


def alibi_bias(num_heads, query_len, key_len):
    """-slope * distance, float32 (H, L, S); the last query stands at the last key."""
    i = torch.arange(query_len)[:, None] + key_len - query_len  # (L, 1)
    j = torch.arange(key_len)[None, :]  # (1, S)
    distance = torch.abs(i - j)  # (L, S)
    bias = -slopes(num_heads)[:, None, None] * distance  # (H, L, S)
    return bias.float()


def slopes(num_heads):
    """2^(-8/n), 2^(-16/n), … for the largest power of two n up to H; then every other slope of 2n."""
    n = 2 ** (num_heads.bit_length() - 1)
    first = 2.0 ** (-8 * torch.arange(1, n + 1) / n)  # (n,)
    between = 2.0 ** (-8 * torch.arange(1, 2 * n, 2) / (2 * n))  # (n,)
    return torch.cat([first, between[: num_heads - n]])  # (H,)
