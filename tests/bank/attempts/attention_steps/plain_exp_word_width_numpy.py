"""exp over the sum of exp, after dividing by the root of the width."""
# causes: no_maximum_subtracted, root_of_word_width

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.sqrt(x.shape[1])
    weights = np.exp(scaled) / np.exp(scaled).sum(axis=1, keepdims=True)
    return scores, scaled, weights, weights @ v
