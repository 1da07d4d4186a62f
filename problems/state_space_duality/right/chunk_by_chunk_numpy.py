# A loop over chunks that names the axes with einsum: nothing is padded.
import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    state = np.zeros((B, H, b.shape[-1], Dv), dtype=x.dtype)
    y = np.empty_like(x)
    for start in range(0, n, chunk):
        part = slice(start, start + chunk)
        xs, bs, cs, decays = x[:, :, part], b[:, part], c[:, part], a[:, :, part]
        m = decays.shape[-1]
        kept = np.tril(np.cumprod(np.where(np.tri(m, k=-1), decays[..., None], 1), axis=2))
        scores = np.einsum("bid,bjd->bij", cs, bs)
        past = np.einsum("bid,bhi,bhdv->bhiv", cs, np.cumprod(decays, axis=-1), state)
        y[:, :, part] = (scores[:, None] * kept) @ xs + past
        written = np.einsum("bjd,bhj,bhjv->bhdv", bs, kept[:, :, -1], xs)
        state = decays.prod(axis=-1)[..., None, None] * state + written
    return y
