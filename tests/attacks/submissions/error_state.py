"""Silence every numerical error and warning, print tensors as nothing, and return NaN.

rows: 20, 53
verdicts: wrong_answer
"""
import warnings

import numpy as np

np.seterr(all="ignore")
np.set_printoptions(threshold=0, formatter={"all": lambda x: "0"})
warnings.simplefilter("ignore")
warnings.warn = lambda *a, **k: None


def scaled_dot_product_attention(q, k, v, scale=None):
    return np.full((*q.shape[:-1], v.shape[-1]), np.nan, q.dtype), np.full((*q.shape[:-1], k.shape[-2]), np.inf, q.dtype)
