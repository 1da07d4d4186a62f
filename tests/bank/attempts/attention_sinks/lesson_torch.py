"""cat and softmax."""
# causes: none

import math

import torch
import torch.nn.functional as F


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)
    sink = sinks.reshape(1, H, 1, 1).expand(B, H, L, 1)
    probs = F.softmax(torch.cat([scores, sink], dim=-1), dim=-1)
    return probs[..., :-1] @ v
