# wrong: entries below -20 are cut off at -20: beside query features of thousands many such keys (true feature 0) add 2e-9 each times 10 000, against a denominator near 1
import numpy as np


def linear_attention(q, k, v):
    def phi(x):
        return np.maximum(x, 0) + np.exp(np.clip(x, -20, 0))

    fq, fk = phi(q), phi(k)
    summary = np.einsum("bnd,bne->bde", fk, v)
    bottom = np.einsum("bnd,bd->bn", fq, fk.sum(axis=1))
    return np.einsum("bnd,bde->bne", fq, summary) / bottom[..., None]
