"""In another style: einsum."""

import torch


def attention(q, k, v):
    w = (torch.einsum("d,nd->n", q, k) * q.shape[-1] ** -0.5).softmax(-1)
    return torch.einsum("n,ne->e", w, v), w
