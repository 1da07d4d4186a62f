"""Lambda is what the first softmax keeps; the root of the number of keys."""
# causes: one_minus_lambda, root_of_key_count

import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    root = math.sqrt(k1.shape[-2])
    one = (torch.einsum("bhld,bhsd->bhls", q1, k1) / root).softmax(dim=-1)
    two = (torch.einsum("bhld,bhsd->bhls", q2, k2) / root).softmax(dim=-1)
    w = one - (1 - lam.view(-1, 1, 1)) * two
    return w @ v
