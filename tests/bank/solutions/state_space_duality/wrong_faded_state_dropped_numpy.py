# wrong: a state is dropped when the decays of a chunk multiply to less than 1e-8 ("faded"); where tokens before it were loud (x and b of 10 000 make a state of 1e8) it should still be read
import numpy as np


def _mask(a):
    i = np.arange(a.shape[-1])
    factors = np.where(i[:, None] > i, a[..., :, None], a.dtype.type(1))
    return np.tril(np.cumprod(factors, axis=-2))


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    size = min(chunk, 64)
    y = np.empty(x.shape, x.dtype)
    state = np.zeros((B, H, b.shape[-1], Dv), x.dtype)
    for lo in range(0, n, size):
        xs, gs = x[:, :, lo : lo + size], a[:, :, lo : lo + size]
        bs, cs = b[:, None, lo : lo + size], c[:, None, lo : lo + size]
        mask, reach = _mask(gs), np.cumprod(gs, axis=-1)
        inside = (cs @ bs.swapaxes(-1, -2) * mask) @ xs
        y[:, :, lo : lo + size] = inside + (cs * reach[..., None]) @ state
        written = (bs * mask[..., -1, :, None]).swapaxes(-1, -2) @ xs
        kept = np.where(reach[..., -1] < 1e-8, 0, reach[..., -1]).astype(x.dtype)
        state = kept[..., None, None] * state + written
    return y
