"""I put the sink in front as a key, softmax, cut off the extra column and make the rows sum to 1 again."""
# causes: sink_first_and_last_column_dropped|sink_takes_the_first_value, sink_ignored

import math

import torch


def attention_with_sinks(q, k, v, sinks):
    batch, heads, length, width = q.shape
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(width)
    sink = sinks[None, :, None, None].expand(batch, heads, length, 1)
    full = torch.softmax(torch.cat((sink, scores), dim=-1), dim=-1)
    weights = full[..., :-1]
    total = weights.sum(dim=-1, keepdim=True)
    weights = weights / total.clamp(min=torch.finfo(weights.dtype).tiny)
    return torch.matmul(weights, v)
