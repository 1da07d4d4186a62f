"""Gradients of the weights themselves, subtracted in place."""
# causes: weights_overwritten

import math

import torch
import torch.nn.functional as F


def model(w, inputs):
    n, E = inputs.shape[1], w["embedding"].shape[1]
    x = w["embedding"][inputs]
    q, k, v = x @ w["w_q"], x @ w["w_k"], x @ w["w_v"]
    scores = q @ k.mT / math.sqrt(E)
    scores = scores.masked_fill(torch.ones(n, n).triu(1) == 1, float("-inf"))
    return (x + scores.softmax(-1) @ v) @ w["w_out"]


def train_step(weights, tokens, learning_rate):
    for w in weights.values():
        w.requires_grad_(True)
        w.grad = None
    logits = model(weights, tokens[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    with torch.no_grad():
        for w in weights.values():
            w -= learning_rate * w.grad
    return {name: w.detach() for name, w in weights.items()}, loss.item()
