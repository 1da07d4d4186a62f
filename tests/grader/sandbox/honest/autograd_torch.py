"""Gradients, second derivatives, functions with their own backward."""

import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2


def work():
    x = torch.tensor([2.0], requires_grad=True, dtype=torch.float64)
    (first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    return first.item() == 12 and second.item() == 12 and torch.autograd.gradcheck(Cube.apply, (x,))
