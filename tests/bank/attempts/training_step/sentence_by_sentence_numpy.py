"""One sentence after the other, with a logsumexp and a loop over the words for their rows."""
# causes: none

import numpy as np


def train_step(weights, tokens, learning_rate):
    grads = {name: np.zeros_like(w) for name, w in weights.items()}
    targets = tokens.shape[0] * (tokens.shape[1] - 1)
    loss = sum(sentence(weights, words, grads, targets) for words in tokens)
    return {name: weights[name] - learning_rate * grads[name] for name in weights}, loss


def sentence(weights, words, grads, targets):
    E, wq, wk, wv, wo = (weights[n] for n in ("embedding", "w_q", "w_k", "w_v", "w_out"))
    given, wanted = words[:-1], words[1:]
    n, d = len(given), E.shape[1]
    x = E[given]
    q, k, v = x @ wq, x @ wk, x @ wv
    s = np.dot(q, k.T) / np.sqrt(d)
    s[np.triu_indices(n, 1)] = -np.inf
    a = np.exp(s - s.max(axis=1, keepdims=True))
    a /= a.sum(axis=1, keepdims=True)
    h = x + a @ v
    z = h @ wo
    top = z.max(axis=1)
    lse = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
    loss = (lse - z[np.arange(n), wanted]).sum() / targets

    dz = np.exp(z - lse[:, None])
    dz[np.arange(n), wanted] -= 1
    dz /= targets
    dh = dz @ wo.T
    da = dh @ v.T
    ds = a * (da - np.einsum("ij,ij->i", a, da)[:, None]) / np.sqrt(d)
    dq, dk, dv = ds @ k, ds.T @ q, a.T @ dh
    dx = dh + dq @ wq.T + dk @ wk.T + dv @ wv.T
    for word, row in zip(given, dx):
        grads["embedding"][word] += row
    grads["w_q"] += x.T @ dq
    grads["w_k"] += x.T @ dk
    grads["w_v"] += x.T @ dv
    grads["w_out"] += h.T @ dz
    return loss
