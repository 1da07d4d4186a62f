"""Distances are kept in sixteen bits."""
import numpy as np


def alibi_bias(num_heads, query_len, key_len):
    H, L, S = num_heads, query_len, key_len
    n = 2 ** (H.bit_length() - 1)
    m = np.concatenate([2.0 ** (-8 * np.arange(1, n + 1) / n), 2.0 ** (-4 * np.arange(1, 2 * n, 2) / n)])[:H]
    d = np.abs(np.arange(L)[:, None] + S - L - np.arange(S))
    d = d.astype(np.int16)
    return (-m[:, None, None] * d).astype(np.float32)
