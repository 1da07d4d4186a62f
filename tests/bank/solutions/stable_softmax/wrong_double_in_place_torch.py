"""float64 needs no conversion, so what is written to is the caller's array."""

import math

import torch


def softmax(x, axis=-1):
    dtype = x.dtype if x.is_floating_point() else torch.float32
    a = x.double()
    m = a.max(dim=axis, keepdim=True).values
    m[m == -math.inf] = 0
    a = a.sub_(m).exp_()
    s = a.sum(dim=axis, keepdim=True)
    s[s == 0] = 1
    return (a / s).to(dtype)
