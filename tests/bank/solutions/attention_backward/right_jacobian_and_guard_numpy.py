import math
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    logits = np.einsum("...ld,...sd->...ls", q, k) / math.sqrt(D)
    if causal:
        logits = np.where(np.subtract.outer(np.arange(L), np.arange(S)) + (S - L) >= 0, logits, np.finfo(q.dtype).min)
    P = np.exp(logits - logits.max(axis=-1, keepdims=True))
    if causal:
        P *= np.tri(L, S, S - L, dtype=P.dtype)
    P /= P.sum(axis=-1, keepdims=True) + 1e-9
    gP = np.einsum("...le,...se->...ls", grad_output, v)
    J = np.einsum("...ls,st->...lst", P, np.eye(S, dtype=P.dtype)) - P[..., :, None] * P[..., None, :]
    gS = np.einsum("...lst,...lt->...ls", J, gP) / math.sqrt(D)
    return (
        np.einsum("...ls,...sd->...ld", gS, k),
        np.einsum("...ls,...ld->...sd", gS, q),
        np.einsum("...ls,...le->...se", P, grad_output),
    )
