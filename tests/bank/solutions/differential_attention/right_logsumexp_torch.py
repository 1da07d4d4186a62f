"""Weights as exp(score - logsumexp), in double precision."""
import torch


def weights(q, k):
    s = torch.einsum("bhld,bhsd->bhls", q.double(), k.double()) / q.shape[-1] ** 0.5
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True))


def differential_attention(q1, k1, q2, k2, v, lam):
    first = weights(q1, k1) @ v.double()
    second = weights(q2, k2) @ v.double()
    return (first - lam.double()[:, None, None] * second).to(v.dtype)
