"""An input is written to during the call, and put back."""
import math
import torch
from torch import nn
import torch.nn.functional as F


def norm(x, g, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * g

def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    if q.requires_grad or k.requires_grad:
        s = norm(q, gain_q, eps) @ norm(k, gain_k, eps).mT / math.sqrt(q.shape[-1])
    else:
        keep = q.clone()
        q.mul_(torch.rsqrt(q.pow(2).mean(-1, keepdim=True) + eps)).mul_(gain_q)
        s = q @ norm(k, gain_k, eps).mT / math.sqrt(q.shape[-1])
        q.copy_(keep)
    return s.softmax(-1) @ v
