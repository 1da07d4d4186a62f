"""Wrong: gamma = 0.999995 is not 1. Heads whose decay np.isclose to 1 (within 1e-5) are taken for "nothing fades": with n = 1000 the early tokens
count 0.5 percent too much."""
import numpy as np


def retention(q, k, v, decay):
    c = 64
    B, H, n, D = q.shape
    dt = v.dtype
    g = decay.astype(dt)[:, None, None]
    i = np.arange(c)
    gap = i[:, None] - i
    fade = np.where(gap >= 0, g ** np.maximum(gap, 0).astype(dt), 0).astype(dt)
    reach = g ** (i + 1)[:, None].astype(dt)
    rest = g ** (c - 1 - i)[:, None].astype(dt)
    whole = g ** dt.type(c)
    same = np.isclose(decay, 1)[:, None, None]
    whole = np.where(same, 1, whole).astype(dt)
    reach = np.where(same, 1, reach).astype(dt)
    rest = np.where(same, 1, rest).astype(dt)
    fade = np.where(same, gap >= 0, fade).astype(dt)
    out = np.empty(v.shape, dtype=dt)
    memory = np.zeros((B, H, D, v.shape[3]), dtype=dt)
    for a in range(0, n, c):
        qc, kc, vc = q[:, :, a:a + c], k[:, :, a:a + c], v[:, :, a:a + c]
        m = qc.shape[2]
        near = qc @ kc.swapaxes(-1, -2) * fade[:, :m, :m]
        out[:, :, a:a + c] = near @ vc + qc @ memory * reach[:, :m]
        memory = memory * whole + (kc * rest[:, :m]).swapaxes(-1, -2) @ vc
    return out
