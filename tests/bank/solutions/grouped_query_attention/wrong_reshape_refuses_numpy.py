"""reshape refuses numbers of groups, and is content if heads times queries can be shared out."""

import numpy as np


def grouped_query_attention(q, k, v, causal: bool = False) -> np.ndarray:
    """Attend with H heads of queries that share G groups of keys and values."""
    batch, heads, length, depth = q.shape
    groups, span, out_depth = v.shape[1:]
    # all queries of a group in one matrix; reshape raises ValueError if heads do not divide
    rows = q.reshape(batch, groups, -1, depth)
    scores = np.matmul(rows, k.transpose(0, 1, 3, 2)) / np.sqrt(depth).astype(q.dtype)
    if causal:
        place = np.arange(rows.shape[2]) % length
        seen = np.arange(span) <= (place + span - length)[:, None]
        scores = np.where(seen, scores, -np.inf)
    top = np.maximum(scores.max(axis=-1, keepdims=True), np.finfo(scores.dtype).min)
    e = np.exp(scores - top)
    mass = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, mass, out=np.zeros_like(e), where=mass > 0)
    return np.matmul(weights, v).reshape(batch, heads, length, out_depth)
