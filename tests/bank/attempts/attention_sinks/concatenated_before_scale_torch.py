"""Concatenate, then scale everything."""
# causes: sink_scaled

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    logits = torch.cat([q @ k.mT, sinks[None, :, None, None].expand(B, H, L, 1)], dim=-1)
    w = torch.softmax(logits / math.sqrt(D), dim=-1)
    return w[..., :-1] @ v
