"""In another style: autograd fn."""

import torch


class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        w = torch.exp(s - s.amax(-1, keepdim=True))
        w = w / w.sum(-1, keepdim=True)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return w * (g - (g * w).sum(-1, keepdim=True))


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = scale if scale is not None else q.shape[-1] ** -0.5
    w = Soft.apply(q @ k.mT * scale)
    return w @ v, w
