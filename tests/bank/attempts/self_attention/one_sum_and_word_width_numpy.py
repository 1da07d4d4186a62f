"""All scores go through one softmax, scaled by the width of a word."""
# causes: normalised_as_a_whole, root_of_word_width

import math

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    s = Q @ K.T / math.sqrt(x.shape[-1])
    e = np.exp(s - np.max(s))
    weights = e / np.sum(e)
    return weights @ V, weights
