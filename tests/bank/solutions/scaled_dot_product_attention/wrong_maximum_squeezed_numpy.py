"""The maximum of each row is squeezed: leading sizes of one are lost on the way."""
import numpy as np

def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = 1 / np.sqrt(q.shape[-1])
    s = np.einsum("...ld,...sd->...ls", q, k) * float(scale)
    s = s - np.squeeze(np.amax(s, -1))[..., None]
    logz = np.log(np.exp(s).sum(-1, keepdims=True))
    w = np.exp(s - logz)
    return np.einsum("...ls,...sv->...lv", w, v), w
