"""A running maximum and a running sum, entry by entry along the axis."""
import torch


def softmax(x, axis=-1):
    x = x.to(torch.promote_types(x.dtype, torch.float32)) if x.is_floating_point() else x.float()
    y = x.movedim(axis, 0)
    top = torch.full_like(y[0], -torch.inf)
    total = torch.zeros_like(y[0])
    for row in y:
        new = torch.maximum(top, row)
        safe = torch.where(new == -torch.inf, torch.zeros_like(new), new)
        total = total * torch.exp(top - safe) + torch.exp(row - safe)
        top = new
    safe = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    return (torch.exp(y - safe) / torch.where(total > 0, total, torch.ones_like(total))).movedim(0, axis)
