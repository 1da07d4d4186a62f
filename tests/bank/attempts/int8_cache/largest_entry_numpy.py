"""The largest entry gives the scale, and weights times value scales must sum to 1 in each row."""
# causes: sign_forgotten, normalised_after_the_scale

import numpy as np


def quantize(x) -> tuple[np.ndarray, np.ndarray]:
    largest = np.max(x, axis=-1, keepdims=True)
    scale = largest / np.array(127, dtype=x.dtype)
    safe = np.where(scale == 0, 1, scale).astype(x.dtype)
    codes = np.clip(np.round(x / safe), -127, 127).astype(np.int8)
    return codes, scale[..., 0]


def attend_quantized(q, keys_q, key_scale, values_q, value_scale) -> np.ndarray:
    D = q.shape[-1]
    k_hat = keys_q.astype(q.dtype)
    v_hat = values_q.astype(q.dtype)
    s = np.einsum("bhid,bhjd,bhj->bhij", q, k_hat, key_scale) / D**0.5
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e * value_scale[:, :, None, :]
    total = w.sum(axis=-1, keepdims=True)
    w = w / np.where(total == 0, 1, total)
    return np.einsum("bhij,bhje->bhie", w, v_hat).astype(q.dtype)
