"""where() with an exponential that overflows on the side not taken: the gradient is NaN."""
import torch


def linear_attention(q, k, v):
    a, b = (torch.where(x > 0, x + 1, torch.exp(x)) for x in (q, k))
    s = b.mT @ v
    return (a @ s) / (a @ b.sum(1, keepdim=True).mT)
