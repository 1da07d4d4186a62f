"""One summary of keys and values."""
# causes: batch_summed|one_summary_for_the_batch

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = np.einsum("bnd,bnv->dv", fk, v)
    z = np.einsum("bnd,ed->bn", fq, fk.sum(axis=1))
    return np.einsum("bnd,dv->bnv", fq, kv) / z[..., None]
