"""Right. An explicit loop over the leading indices (np.ndindex), one matrix at a time, written into its own results."""
import math

import numpy as np


def _softmax_rows(table):
    table = table - np.max(table, axis=1, keepdims=True)
    np.exp(table, out=table)
    table /= np.add.reduce(table, axis=1, keepdims=True)
    return table


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    kind = np.result_type(q, k, v)
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    wide = np.broadcast_shapes(lead, v.shape[:-2])
    queries = np.broadcast_to(q, lead + q.shape[-2:])
    keys = np.broadcast_to(k, lead + k.shape[-2:])
    weights = np.empty(lead + (q.shape[-2], k.shape[-2]), dtype=kind)
    for at in np.ndindex(*lead):
        weights[at] = _softmax_rows(queries[at].dot(keys[at].T) * kind.type(scale))
    shared = np.broadcast_to(weights, wide + weights.shape[-2:])
    values = np.broadcast_to(v, wide + v.shape[-2:])
    output = np.empty(wide + (q.shape[-2], v.shape[-1]), dtype=kind)
    for at in np.ndindex(*wide):
        output[at] = shared[at].dot(values[at])
    return output, weights
