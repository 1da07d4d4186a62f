"""Wrong: "Remembers nothing between calls". The powers are kept under the decays as text with three places: retention(..., [0.9991]) after
retention(..., [0.9993]) uses the older decay."""
import numpy as np

_tables = {}


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
    key = (dt.str, " ".join(f"{x:.3f}" for x in decay))
    fade, reach, rest, whole = _tables.setdefault(key, (fade, reach, rest, whole))
    out = np.empty(v.shape, dtype=dt)
    memory = np.zeros((B, H, D, v.shape[3]), dtype=dt)
    for a in range(0, n, c):
        qc, kc, vc = q[:, :, a:a + c], k[:, :, a:a + c], v[:, :, a:a + c]
        m = qc.shape[2]
        near = qc @ kc.swapaxes(-1, -2) * fade[:, :m, :m]
        out[:, :, a:a + c] = near @ vc + qc @ memory * reach[:, :m]
        memory = memory * whole + (kc * rest[:, :m]).swapaxes(-1, -2) @ vc
    return out
