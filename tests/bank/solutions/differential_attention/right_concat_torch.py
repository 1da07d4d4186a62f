"""Both softmaxes side by side over a doubled list of keys, with values times -lambda."""

import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    B, H, L, D = q1.shape
    S, Dv = v.shape[2:]

    def flat(x):
        return x.reshape(B * H, x.shape[2], x.shape[3])

    weights = [
        torch.softmax(torch.bmm(flat(q), flat(k).mT) / math.sqrt(D), dim=-1)
        for q, k in ((q1, k1), (q2, k2))
    ]
    signed = -lam[None, :, None, None] * v
    both = torch.cat((flat(v), flat(signed)), dim=1)
    return torch.bmm(torch.cat(weights, dim=2), both).reshape(B, H, L, Dv)
