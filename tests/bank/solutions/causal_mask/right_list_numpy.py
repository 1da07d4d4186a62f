"""Nested lists, made an array at the end."""

import numpy as np


def causal_mask(L, key_len=None):
    S = L if key_len is None else key_len
    return np.array([[j - S <= i - L for j in range(S)] for i in range(L)])
