"""Wrong: "Nothing is written into the four arrays". k is padded to whole chunks of 64 and faded in place; where n is a multiple of 64 there
is no padding and no copy, so the caller's k changes (or, if read-only, it raises). Shown by contiguous k with n = 64."""
import numpy as np


def _chunks(t, c):
    B, H, n, D = t.shape
    if n % c:
        t = np.pad(t, ((0, 0), (0, 0), (0, c - n % c), (0, 0)))
    return t.reshape(B, H, -1, c, D)


def retention(q, k, v, decay):
    c = 64
    B, H, n, D = q.shape
    dt = v.dtype
    g = decay[:, None, None, None]
    i = np.arange(c)
    gap = i[:, None] - i
    fade = np.where(gap >= 0, g ** np.maximum(gap, 0).astype(dt), 0).astype(dt)
    qc, kc, vc = _chunks(q, c), _chunks(k, c), _chunks(v, c)
    out = (qc @ kc.swapaxes(-1, -2) * fade) @ vc
    kc *= g ** (c - 1 - i)[:, None].astype(dt)
    added = kc.swapaxes(-1, -2) @ vc
    memory = np.zeros_like(added[:, :, 0])
    whole = (g ** dt.type(c))[:, 0]
    reach = (g ** (i + 1)[:, None].astype(dt))[:, 0]
    for t in range(added.shape[2]):
        out[:, :, t] += qc[:, :, t] @ memory * reach
        memory = memory * whole + added[:, :, t]
    return out.reshape(B, H, -1, v.shape[3])[:, :, :n]
