"""Right: one sentence after another and one-hot matrices instead of indexing (the embedding gets onehot.T @ dx);
the queries go one by one over their own prefix; float64 inside, cast back at the end."""
import numpy as np


def _one_hot(ids, size):
    return (np.asarray(ids)[:, None] == np.arange(size)).astype(np.float64)


def _softmax(row):
    e = np.exp(row - row.max())
    return e / e.sum()


def train_step(weights, tokens, learning_rate):
    W = {name: np.asarray(w, dtype=np.float64) for name, w in weights.items()}
    grad = {name: np.zeros(w.shape) for name, w in W.items()}
    size, width = W["embedding"].shape
    root = np.sqrt(width)
    pairs = tokens.shape[0] * (tokens.shape[1] - 1)
    loss = 0.0
    for sentence in tokens:
        hot, goal = _one_hot(sentence[:-1], size), _one_hot(sentence[1:], size)
        x = hot @ W["embedding"]
        q, k, v = x @ W["w_q"], x @ W["w_k"], x @ W["w_v"]
        shares = [_softmax(k[: i + 1] @ q[i] / root) for i in range(len(x))]
        h = x + np.array([share @ v[: i + 1] for i, share in enumerate(shares)])
        logits = h @ W["w_out"]
        logits = logits - logits.max(axis=1, keepdims=True)
        norm = np.exp(logits).sum(axis=1, keepdims=True)
        loss += float(np.sum(np.log(norm[:, 0]) - (logits * goal).sum(axis=1)))
        dlogits = (np.exp(logits) / norm - goal) / pairs
        dh = dlogits @ W["w_out"].T
        dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
        for i, share in enumerate(shares):
            upto = slice(0, i + 1)
            dv[upto] += np.outer(share, dh[i])
            dshare = v[upto] @ dh[i]
            dscore = share * (dshare - share @ dshare) / root
            dq[i] = dscore @ k[upto]
            dk[upto] += np.outer(dscore, q[i])
        dx = dh + dq @ W["w_q"].T + dk @ W["w_k"].T + dv @ W["w_v"].T
        for name, piece in (("w_q", x.T @ dq), ("w_k", x.T @ dk), ("w_v", x.T @ dv),
                            ("w_out", h.T @ dlogits), ("embedding", hot.T @ dx)):
            grad[name] += piece
    dtype = weights["embedding"].dtype
    new = {name: (W[name] - learning_rate * grad[name]).astype(dtype) for name in W}
    return new, dtype.type(loss / pairs)
