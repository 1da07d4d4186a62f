"""Everything in double precision, and back."""
import numpy as np


def quantize(x):
    y = x.astype(np.float64)
    size = np.sqrt((y * y).max(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = 127 * y / size[..., None]
    return np.where(size[..., None] > 0, steps, 0).round().astype("i1"), (size / 127).astype(x.dtype)


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    a, b = key_scale.astype(float), value_scale.astype(float)
    s = np.einsum("bhld,bhsd,bhs->bhls", q.astype(float), keys_q.astype(float), a, optimize=True)
    s = s / np.sqrt(float(q.shape[3]))
    w = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    return np.einsum("bhls,bhs,bhsv->bhlv", w, b, values_q.astype(float), optimize=True).astype(q.dtype)
