import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, d = q.shape[-2], k.shape[-2], q.shape[-1]
    scale = 1.0 / np.sqrt(d)
    m = np.full(q.shape[:-1], -np.inf)
    l = np.zeros(q.shape[:-1])
    acc = np.zeros(q.shape[:-1] + (v.shape[-1],))
    for j0 in range(0, S, block_size):
        j1 = min(S, j0 + block_size)
        s = np.einsum("...ld,...sd->...ls", q, k[..., j0:j1, :]) * scale
        if causal:
            s = np.where(np.arange(j0, j1) > np.arange(L)[:, None] + (S - L), -np.inf, s)
        m_block = s.max(axis=-1)
        m_new = np.maximum(m, m_block)
        m_safe = np.where(np.isfinite(m_new), m_new, 0.0)
        p = np.exp(s - m_safe[..., None])
        correction = np.where(np.isfinite(m), np.exp(m - m_safe), 0.0)
        l = correction * l + p.sum(axis=-1)
        acc = correction[..., None] * acc + np.einsum("...ls,...sv->...lv", p, v[..., j0:j1, :])
        m = m_new
    return (acc / (l + (l == 0))[..., None]).astype(q.dtype)
