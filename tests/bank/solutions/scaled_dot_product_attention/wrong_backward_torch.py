"""Wrong: "gradients flow" with "a given scale replaces the default": the hand-written backward always uses 1/sqrt(D).
Values are right, and so are the gradients without scale; with scale = 1 and D = 4 those of q and k are half."""
import torch


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, scale):
        weights = torch.softmax(q @ k.transpose(-1, -2) * scale, dim=-1)
        ctx.save_for_backward(q, k, v, weights)
        return weights @ v, weights

    @staticmethod
    def backward(ctx, grad_output, grad_weights):
        q, k, v, weights = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        grad_v = (weights.transpose(-1, -2) @ grad_output).sum_to_size(v.shape)
        through = (grad_output @ v.transpose(-1, -2)).sum_to_size(weights.shape)
        grad = through + grad_weights
        grad = weights * (grad - (weights * grad).sum(dim=-1, keepdim=True)) * scale
        grad_q = (grad @ k).sum_to_size(q.shape)
        grad_k = (grad.transpose(-1, -2) @ q).sum_to_size(k.shape)
        return grad_q, grad_k, grad_v, None


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    return _Attention.apply(q, k, v, q.shape[-1] ** -0.5 if scale is None else scale)
