"""Wrong: 'Large scores'. The maximum of a row is taken before the mask, and a large hidden score makes all visible
ones vanish. Shown by a first token with score 0 for itself and 5000 for the second: its weights are 0, not 1."""
import numpy as np


def train_step(weights, tokens, learning_rate):
    emb, w_q, w_k, w_v, w_out = (weights[n] for n in ("embedding", "w_q", "w_k", "w_v", "w_out"))
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    B, n = inputs.shape
    scale = emb.shape[1] ** -0.5

    x = emb[inputs]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = (q @ k.swapaxes(1, 2)) * scale
    a = np.exp(s - s.max(axis=-1, keepdims=True)) * np.tri(n, dtype=s.dtype)
    a = a / (a.sum(axis=-1, keepdims=True) + 1e-12)
    h = x + a @ v
    z = h @ w_out
    z -= z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=-1, keepdims=True)
    at = np.arange(B)[:, None], np.arange(n)[None, :], targets
    loss = (np.log(total[..., 0]) - z[at]).mean()

    dz = e / total
    dz[at] -= 1
    dz /= B * n
    dh = dz @ w_out.T
    da = dh @ v.swapaxes(1, 2)
    ds = a * (da - (a * da).sum(axis=-1, keepdims=True)) * scale
    dq, dk, dv = ds @ k, ds.swapaxes(1, 2) @ q, a.swapaxes(1, 2) @ dh
    dx = dh + dq @ w_q.T + dk @ w_k.T + dv @ w_v.T
    demb = np.zeros_like(emb)
    np.add.at(demb, inputs, dx)

    grads = {
        "embedding": demb,
        "w_q": np.einsum("bie,bif->ef", x, dq),
        "w_k": np.einsum("bie,bif->ef", x, dk),
        "w_v": np.einsum("bie,bif->ef", x, dv),
        "w_out": np.einsum("bie,bif->ef", h, dz),
    }
    return {name: weights[name] - learning_rate * grads[name] for name in grads}, loss
