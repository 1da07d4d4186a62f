"""Drops the column and divides by the sum again."""
# causes: sink_ignored

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    s = q @ k.mT / math.sqrt(D)
    s = torch.cat([s, sinks.view(1, H, 1, 1).expand(B, H, L, 1)], -1)
    w = s.softmax(-1)[..., :-1]
    w = w / w.sum(-1, keepdim=True).clamp(min=1e-30)
    return w @ v
