"""Ten thousand is taken off what is hidden, with no look at empty rows."""
# causes: fill_too_small|future_filled_with_ten_thousand, hidden_row_uniform|hidden_row_reopened

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def masked_attention(q, k, v, padding_mask=None, causal=False):
    scores = q @ k.transpose(0, 2, 1) / q.shape[-1] ** 0.5
    if padding_mask is not None:
        scores = scores - 1e4 * (1 - padding_mask[:, None, :])
    if causal:
        L, S = scores.shape[1:]
        scores = scores - 1e4 * np.triu(np.ones((L, S)), k=1 + S - L)
    weights = softmax(scores)
    return weights @ v, weights
