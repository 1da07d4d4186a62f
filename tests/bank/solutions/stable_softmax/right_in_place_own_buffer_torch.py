"""In another style: in place own buffer."""

import torch


def softmax(x, axis=-1):
    b = x.clone() if x.is_floating_point() else x.to(torch.float32)
    b -= b.amax(axis, keepdim=True).clamp(min=torch.finfo(b.dtype).min)
    b.exp_()
    s = b.sum(axis, keepdim=True)
    return b / torch.where(s > 0, s, torch.ones_like(s))
