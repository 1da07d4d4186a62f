"""A torch.autograd.Function with the backward pass written out by hand, in float64 inside."""
import torch


class _Rms(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, eps):
        wide, scale = x.double(), gain.double()
        inverse = (wide.square().mean(dim=-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(wide, scale, inverse)
        ctx.kinds = x.dtype, gain.dtype
        return (wide * inverse * scale).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        wide, scale, inverse = ctx.saved_tensors
        unit = wide * inverse
        dy = dy.double()
        stretched = dy * scale
        dx = inverse * (stretched - unit * (stretched * unit).mean(dim=-1, keepdim=True))
        dgain = (dy * unit).reshape(-1, unit.shape[-1]).sum(dim=0)
        return dx.to(ctx.kinds[0]), dgain.to(ctx.kinds[1]), None


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    return _Rms.apply(x, gain, eps)
