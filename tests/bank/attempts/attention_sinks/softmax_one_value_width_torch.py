"""softmax1, and the root of the width of the values."""
# causes: one_for_the_sink, root_of_value_width

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.mT / math.sqrt(v.size(-1))
    s = torch.cat([s, torch.zeros_like(s[..., :1])], dim=-1)
    return s.softmax(-1)[..., :-1] @ v
