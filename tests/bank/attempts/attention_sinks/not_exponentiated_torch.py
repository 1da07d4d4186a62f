"""Adds the sink itself to the denominator."""
# causes: sink_not_exponentiated

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    e = torch.exp(s - s.amax(dim=-1, keepdim=True))
    return e / (e.sum(dim=-1, keepdim=True) + sinks.view(1, -1, 1, 1)) @ v
