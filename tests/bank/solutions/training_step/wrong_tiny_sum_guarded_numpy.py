"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def train_step(weights, tokens, learning_rate):
    """weights: embedding (V, E), w_q, w_k, w_v (E, E), w_out (E, V); tokens (B, N)"""
    loss, gradients = backward(weights, tokens[:, :-1], tokens[:, 1:])
    new = {name: w - learning_rate * gradients[name] for name, w in weights.items()}
    return new, loss


def backward(weights, inputs, targets):
    """Returns the loss and its gradient for each of the weights; inputs and targets (B, n)."""
    embedding, w_out = weights["embedding"], weights["w_out"]
    w_q, w_k, w_v = weights["w_q"], weights["w_k"], weights["w_v"]
    n, scale = inputs.shape[1], 1 / math.sqrt(embedding.shape[1])

    # forward
    x = embedding[inputs]  # (B, n, E)
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (B, n, E)
    scores = scale * (q @ k.swapaxes(1, 2))  # (B, n, n)
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    attention = softmax(scores)
    h = x + attention @ v  # (B, n, E)
    logits = h @ w_out  # (B, n, V)
    at_target = (*np.indices(targets.shape), targets)
    loss = -log_softmax(logits)[at_target].mean()

    # backward, from the loss to the embedding
    d_logits = softmax(logits)  # (B, n, V)
    d_logits[at_target] -= 1
    d_logits = d_logits / targets.size
    d_w_out = np.einsum("bne,bnv->ev", h, d_logits)
    d_h = d_logits @ w_out.T  # (B, n, E)
    d_attention = d_h @ v.swapaxes(1, 2)  # (B, n, n)
    d_v = attention.swapaxes(1, 2) @ d_h  # (B, n, E)
    inner = (attention * d_attention).sum(axis=-1, keepdims=True)
    d_scores = scale * attention * (d_attention - inner)  # (B, n, n)
    d_q = d_scores @ k  # (B, n, E)
    d_k = d_scores.swapaxes(1, 2) @ q  # (B, n, E)
    d_x = d_h + d_q @ w_q.T + d_k @ w_k.T + d_v @ w_v.T  # (B, n, E)
    d_embedding = np.zeros_like(embedding)
    np.add.at(d_embedding, inputs, d_x)  # a token may come several times
    return loss, {
        "embedding": d_embedding,
        "w_q": np.einsum("bne,bnd->ed", x, d_q),
        "w_k": np.einsum("bne,bnd->ed", x, d_k),
        "w_v": np.einsum("bne,bnd->ed", x, d_v),
        "w_out": d_w_out,
    }


def log_softmax(x):
    x = x - shift(x, -1)
    return x - np.log((np.exp(x).sum(axis=-1, keepdims=True) + 1e-9))


def softmax(x):
    return np.exp(log_softmax(x))
