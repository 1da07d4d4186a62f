"""The gradient of gain is added up over the columns where x is a single token."""

import torch


class _RMS(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, eps):
        rstd = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
        ctx.save_for_backward(x, gain, rstd)
        return x * rstd * gain

    @staticmethod
    def backward(ctx, grad):
        x, gain, rstd = ctx.saved_tensors
        hat = x * rstd
        g = grad * gain
        dx = rstd * (g - hat * (g * hat).mean(dim=-1, keepdim=True))
        tokens = tuple(range(x.dim() - 1))
        return dx, (grad * hat).sum(dim=tokens), None


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    """Divide every token by the root of its mean square, then stretch it."""
    return _RMS.apply(x, gain, float(eps))
