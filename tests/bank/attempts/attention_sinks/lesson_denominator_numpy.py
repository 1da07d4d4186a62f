"""The formula, shifted by the larger of the two maxima."""
# causes: none

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    d = q.shape[-1]
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d)
    z = sinks.reshape(1, -1, 1, 1)
    m = np.maximum(np.max(s, axis=-1, keepdims=True), z)
    num = np.exp(s - m)
    den = np.exp(z - m) + np.sum(num, axis=-1, keepdims=True)
    return np.einsum("bhij,bhjv->bhiv", num / den, v)
