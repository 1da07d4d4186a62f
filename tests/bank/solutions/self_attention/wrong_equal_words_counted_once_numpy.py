"""A word that occurs twice counts once in the sum under the softmax."""
import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    distinct, place = np.unique(x, axis=0, return_inverse=True)
    place = place.reshape(-1)

    q = distinct @ w_q
    k = distinct @ w_k
    scores = q @ k.T / float(np.sqrt(q.shape[1]))
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    share = raised / raised.sum(axis=1, keepdims=True)

    weights = share[np.ix_(place, place)]
    return weights @ (x @ w_v), weights
