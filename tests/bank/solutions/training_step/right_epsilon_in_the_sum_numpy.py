"""Both softmaxes divide by a sum with a guard."""

import math

import numpy as np


def train_step(weights, tokens, learning_rate):
    embedding, w_q, w_k, w_v, w_out = (
        weights[name] for name in ("embedding", "w_q", "w_k", "w_v", "w_out")
    )
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    B, n = inputs.shape
    V, E = embedding.shape
    x = embedding[inputs]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(E)
    scores = np.where(np.tril(np.ones((n, n))) == 1, scores, -np.inf)
    a = np.exp(scores - scores.max(-1, keepdims=True))
    a = a / (a.sum(-1, keepdims=True) + 1e-7)
    h = x + a @ v
    logits = h @ w_out
    logits = logits - logits.max(-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    one_hot = np.eye(V, dtype=x.dtype)[targets]
    loss = -(log_p * one_hot).sum() / (B * n)
    p = np.exp(logits)
    p = p / (p.sum(-1, keepdims=True) + 1e-7)
    d_logits = (p - one_hot) / (B * n)
    d_h = d_logits @ w_out.T
    d_a = d_h @ v.transpose(0, 2, 1)
    d_v = a.transpose(0, 2, 1) @ d_h
    d_s = a * (d_a - (d_a * a).sum(-1, keepdims=True)) / math.sqrt(E)
    d_q = d_s @ k
    d_k = d_s.transpose(0, 2, 1) @ q
    d_x = d_h + d_q @ w_q.T + d_k @ w_k.T + d_v @ w_v.T
    flat = x.reshape(-1, E).T
    grads = {
        "embedding": np.eye(V, dtype=x.dtype)[inputs].reshape(-1, V).T @ d_x.reshape(-1, E),
        "w_q": flat @ d_q.reshape(-1, E),
        "w_k": flat @ d_k.reshape(-1, E),
        "w_v": flat @ d_v.reshape(-1, E),
        "w_out": h.reshape(-1, E).T @ d_logits.reshape(-1, V),
    }
    return {name: weights[name] - learning_rate * grads[name] for name in weights}, loss
