"""float64 needs no conversion, so what is written to is the caller's array."""

import torch.nn.functional as F


def attention(query, keys, values):
    q = query.double()
    q *= query.numel() ** -0.5
    w = F.softmax(keys.double() @ q, -1)
    return (w @ values.double()).to(values.dtype), w.to(values.dtype)
