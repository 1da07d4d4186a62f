"""Wrong: sentences have any length. The causal mask is made once for 128 places and sliced. Shown by N = 130
(129 inputs): raises."""
import numpy as np

BLOCK_SIZE = 128
_TRIL = np.tril(np.ones((BLOCK_SIZE, BLOCK_SIZE), dtype=bool))


def train_step(weights, tokens, learning_rate):
    emb, w_q, w_k, w_v, w_out = (weights[n] for n in ("embedding", "w_q", "w_k", "w_v", "w_out"))
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    B, n = inputs.shape
    scale = emb.shape[1] ** -0.5

    x = emb[inputs]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = (q @ k.swapaxes(1, 2)) * scale
    s = np.where(_TRIL[:n, :n], s, -np.inf)
    a = np.exp(s - s.max(axis=-1, keepdims=True))
    a = a / a.sum(axis=-1, keepdims=True)
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
