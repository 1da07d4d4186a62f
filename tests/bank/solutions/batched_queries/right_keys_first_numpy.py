"""Scores laid out (n, b), queries and keys scaled by d^(1/4), a constant added; non-contiguous results."""
import numpy as np


def batch_attention(queries, keys, values):
    root = queries.shape[1] ** 0.25
    s = (keys / root) @ (queries / root).T + 2.0
    e = np.exp(s - s.max(axis=0))
    w = e / e.sum(axis=0)
    return (values.T @ w).T, w.T
