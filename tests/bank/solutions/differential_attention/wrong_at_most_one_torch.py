"""A lambda above 1 is taken for 1."""
import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    first = torch.softmax(q1 @ k1.mT / q1.shape[-1] ** 0.5, -1)
    second = torch.softmax(q2 @ k2.mT / q2.shape[-1] ** 0.5, -1)
    w = first - lam.clamp(max=1)[:, None, None] * second
    return w @ v
