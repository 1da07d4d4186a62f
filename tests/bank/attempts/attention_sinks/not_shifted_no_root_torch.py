"""exp(sink) unshifted, divided by D."""
# causes: sink_not_shifted, divided_by_width

import torch


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.transpose(-1, -2) / q.shape[-1]
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    total = e.sum(dim=-1, keepdim=True) + torch.exp(sinks)[None, :, None, None]
    return e / total @ v
