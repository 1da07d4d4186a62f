# Heads are an axis of the matrices: einsum splits, attends and merges without a transpose.
import math

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E, H = q.shape[2], num_heads
    if E % H != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {H} heads")
    D = E // H
    queries = np.einsum("ble,ehd->bhld", q, w_q.reshape(E, H, D))
    keys = np.einsum("bse,ehd->bhsd", k, w_k.reshape(E, H, D))
    values = np.einsum("bse,ehd->bhsd", v, w_v.reshape(E, H, D))
    scores = np.einsum("bhld,bhsd->bhls", queries, keys) / math.sqrt(D)
    weights = masked_softmax(scores, True if mask is None else mask)
    heads = np.einsum("bhls,bhsd->bhld", weights, values)
    return np.einsum("bhld,hde->ble", heads, w_o.reshape(H, D, E))


def masked_softmax(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)  # a row with no visible key stays 0
