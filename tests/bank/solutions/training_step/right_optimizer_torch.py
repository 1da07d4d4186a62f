"""Parameters, cross entropy and the SGD of the framework."""

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
    params = {name: torch.nn.Parameter(w.detach().clone()) for name, w in weights.items()}
    optimizer = torch.optim.SGD(params.values(), lr=learning_rate)
    logits = model(params, tokens[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {name: p.detach() for name, p in params.items()}, loss.item()
