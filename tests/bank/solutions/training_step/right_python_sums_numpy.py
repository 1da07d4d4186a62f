"""The embedding is summed up by a loop, sentences one by one."""

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def train_step(weights, tokens, learning_rate):
    w = {name: np.array(value) for name, value in weights.items()}
    grads = {name: np.zeros_like(value) for name, value in w.items()}
    E = w["embedding"].shape[1]
    count = tokens[:, 1:].size
    loss = w["embedding"].dtype.type(0)
    for sentence in tokens:
        inputs, targets = sentence[:-1], sentence[1:]
        n = len(inputs)
        x = w["embedding"][inputs]
        q, k, v = x @ w["w_q"], x @ w["w_k"], x @ w["w_v"]
        s = q @ k.T * E**-0.5
        s[np.triu_indices(n, 1)] = -np.inf
        a = softmax(s)
        h = x + a @ v
        z = h @ w["w_out"]
        z = z - z.max(-1, keepdims=True)
        loss = loss + (np.log(np.exp(z).sum(-1)) - z[np.arange(n), targets]).sum()
        dz = softmax(z)
        dz[np.arange(n), targets] -= 1
        dz /= count
        grads["w_out"] += h.T @ dz
        dh = dz @ w["w_out"].T
        da, dv = dh @ v.T, a.T @ dh
        ds = a * (da - (a * da).sum(-1, keepdims=True)) * E**-0.5
        dq, dk = ds @ k, ds.T @ q
        dx = dh.copy()
        for name, d in (("w_q", dq), ("w_k", dk), ("w_v", dv)):
            grads[name] += x.T @ d
            dx += d @ w[name].T
        for i, token in enumerate(inputs):
            grads["embedding"][token] += dx[i]
    return {name: w[name] - learning_rate * grads[name] for name in w}, loss / count
