"""Biases of ALiBi: Press et al. 2021, section 3, with the slopes of the authors' code."""

import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    """-slope * distance, float32 (H, L, S); the last query stands at the last key."""
    i = np.arange(query_len)[:, None] + key_len - query_len  # (L, 1)
    j = np.arange(key_len)[None, :]  # (1, S)
    distance = np.abs(i - j)  # (L, S)
    bias = -slopes(num_heads)[:, None, None] * distance  # (H, L, S)
    return bias.astype(np.float32)


def slopes(num_heads):
    """2^(-8/n), 2^(-16/n), … for the largest power of two n up to H; then every other slope of 2n."""
    n = 2 ** (num_heads.bit_length() - 1)
    first = 2.0 ** (-8 * np.arange(1, n + 1) / n)  # (n,)
    between = 2.0 ** (-8 * np.arange(1, 2 * n, 2) / (2 * n))  # (n,)
    return np.concatenate([first, between[: num_heads - n]])  # (H,)
