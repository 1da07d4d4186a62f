"""A training step of a small language model; the framework does the backward pass."""

import math

import torch
import torch.nn.functional as F


def train_step(weights, tokens, learning_rate):
    """weights: embedding (V, E), w_q, w_k, w_v (E, E), w_out (E, V); tokens (B, N)"""
    leaves = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
    loss = loss_of(leaves, tokens[:, :-1], tokens[:, 1:])
    loss.backward()
    new = {name: w.detach() - learning_rate * w.grad for name, w in leaves.items()}
    return new, loss.detach()


def loss_of(weights, inputs, targets):
    """Returns the mean loss over all targets; inputs and targets (B, n)."""
    embedding, w_out = weights["embedding"], weights["w_out"]
    w_q, w_k, w_v = weights["w_q"], weights["w_k"], weights["w_v"]
    n, scale = inputs.shape[1], 1 / math.sqrt(embedding.shape[1])

    x = embedding[inputs]  # (B, n, E)
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (B, n, E)
    scores = scale * (q @ k.transpose(1, 2))  # (B, n, n)
    visible = torch.ones(n, n, dtype=torch.bool).tril()
    scores = scores.masked_fill(~visible, -math.inf)
    attention = torch.softmax(scores, dim=-1)
    h = x + attention @ v  # (B, n, E)
    logits = h @ w_out  # (B, n, V)
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
