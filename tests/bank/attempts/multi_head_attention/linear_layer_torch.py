"""Uses F.linear, which takes the weights the other way round."""
# causes: transposed_weight|transposed_output_weight

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    b, l, e = q.shape
    if e % num_heads != 0:
        raise ValueError(f"{e} is not divisible by {num_heads}")
    d = e // num_heads
    Q = F.linear(q, w_q).view(b, -1, num_heads, d).transpose(1, 2)
    K = F.linear(k, w_k).view(b, -1, num_heads, d).transpose(1, 2)
    V = F.linear(v, w_v).view(b, -1, num_heads, d).transpose(1, 2)
    s = Q @ K.mT / math.sqrt(d)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = torch.softmax(s, -1)
    if mask is not None:
        w = w.masked_fill(~mask, 0.0)
    y = (w @ V).transpose(1, 2).reshape(b, l, e)
    return F.linear(y, w_o)
