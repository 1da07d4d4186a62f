"""No maximum, and the sink stands in the denominator as it is."""
# causes: sink_not_exponentiated

import torch


def attention_with_sinks(q, k, v, sinks):
    D = q.shape[-1]
    s = torch.exp(q @ k.transpose(-2, -1) / D**0.5)
    w = s / (s.sum(-1, keepdim=True) + sinks[None, :, None, None])
    return w @ v
