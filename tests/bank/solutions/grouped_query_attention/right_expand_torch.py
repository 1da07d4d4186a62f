"""Llama's repeat_kv, and the smallest number of the dtype as a fill."""
import math

import torch


def repeat_kv(x, times):
    B, G, S, D = x.shape
    return x[:, :, None].expand(B, G, times, S, D).reshape(B, G * times, S, D)


def grouped_query_attention(q, k, v, causal=False):
    if q.size(1) % k.size(1):
        raise ValueError("groups")
    times = q.size(1) // k.size(1)
    k, v = repeat_kv(k, times), repeat_kv(v, times)
    s = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(q.size(-1))
    if causal:
        keep = torch.ones(s.shape[-2:], dtype=torch.bool).tril(k.size(2) - q.size(2))
        s = s.masked_fill(~keep, torch.finfo(s.dtype).min)
        return torch.matmul(s.softmax(-1) * keep, v)
    return torch.matmul(s.softmax(-1), v)
