"""The formula as it stands."""
# causes: no_maximum_subtracted

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = np.einsum("bhld,bhsd->bhls", q, k) / np.sqrt(q.shape[-1])
    e = np.exp(s)
    total = e.sum(-1, keepdims=True) + np.exp(sinks)[None, :, None, None]
    return np.einsum("bhls,bhsv->bhlv", e / total, v)
