# Each pair is turned by the 2 × 2 matrix of its angle, as in equation 15 of the paper.
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"a width of {D} cannot be taken apart into pairs")
    speeds = base ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    angles = torch.outer(positions.to(torch.float64), speeds)  # (n, D/2)
    cos, sin = angles.cos(), angles.sin()
    rotation = torch.stack([cos, -sin, sin, cos]).unflatten(0, (2, 2)).to(x.dtype)
    turned = torch.einsum("ijnp,bhnpj->bhnpi", rotation, x.unflatten(-1, (-1, 2)))
    return turned.flatten(-2)
