"""With all lambdas 0 the second softmax is skipped, and they get no gradient."""
import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    s = q1.shape[-1] ** -0.5
    w = torch.softmax(q1 @ k1.mT * s, -1)
    if not torch.any(lam):
        return w @ v
    return (w - lam[:, None, None] * torch.softmax(q2 @ k2.mT * s, -1)) @ v
