"""The first token is the sink: it gets what is left over."""
# causes: sink_takes_the_first_value

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    scores = q @ k.mT / math.sqrt(D)
    scores = torch.cat([sinks.view(1, H, 1, 1).expand(B, H, L, 1), scores], dim=-1)
    w = torch.softmax(scores, dim=-1)
    return w @ torch.cat([v[:, :, :1], v], dim=2)
