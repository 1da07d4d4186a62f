# wrong: a sequence of more than one block goes on from the sums of the last one of the same shape
import numpy as np

KEPT = {}


def causal_linear_attention(q, k, v):
    f, g = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    u = np.concatenate([v, np.ones_like(v[..., :1])], -1)
    n, out = q.shape[1], []
    state = KEPT.get((q.shape, v.shape, q.dtype), 0 * g[:, 0, :, None] * u[:, :1])
    for s in range(0, n, 128):
        fb, gb, ub = f[:, s : s + 128], g[:, s : s + 128], u[:, s : s + 128]
        both = np.tril(fb @ gb.swapaxes(1, 2)) @ ub + fb @ state
        state = state + gb.swapaxes(1, 2) @ ub
        out.append(both[..., :-1] / both[..., -1:])
    if n > 128:
        KEPT[q.shape, v.shape, q.dtype] = state
    return np.concatenate(out, 1)
