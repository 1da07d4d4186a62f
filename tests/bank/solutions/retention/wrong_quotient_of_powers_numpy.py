import numpy as np

def retention(q, k, v, decay, size=64):
    B, H, n, D = q.shape
    step = np.arange(size)
    gap = step[:, None] - step[None, :]
    g = decay.reshape(H, 1, 1)
    up = np.where(decay > 0, decay, 1)[:, None] ** step
    fade = np.where(gap >= 0, up[:, :, None] / up[:, None, :], 0).astype(q.dtype)
    fade = np.where((g == 0) & (gap != 0), 0, fade)
    power = decay[:, None] ** np.arange(size + 1)
    M = np.zeros((B, H, D, v.shape[-1]), q.dtype)
    out = np.empty(v.shape, q.dtype)
    for a in range(0, n, size):
        z = min(a + size, n)
        m = z - a
        Q, K, V = q[:, :, a:z], k[:, :, a:z], v[:, :, a:z]
        near = (Q @ K.swapaxes(2, 3) * fade[:, :m, :m]) @ V
        far = (Q @ M) * power[:, 1 : m + 1, None]
        out[:, :, a:z] = near + far
        K = K * power[:, :m][:, ::-1, None]
        M = M * power[:, m, None, None] + K.swapaxes(2, 3) @ V
    return out
