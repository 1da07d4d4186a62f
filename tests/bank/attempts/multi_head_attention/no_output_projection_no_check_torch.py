"""Loop over the heads and concatenate."""
# causes: no_output_projection, width_not_checked|fewer_heads_quietly

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    D = q.shape[-1] // num_heads
    Q, K, V = q @ w_q, k @ w_k, v @ w_v
    outs = []
    for h in range(num_heads):
        qh, kh, vh = (t[..., h * D : (h + 1) * D] for t in (Q, K, V))
        scores = qh @ kh.transpose(1, 2) / math.sqrt(D)
        if mask is not None:
            m = mask.expand(q.size(0), num_heads, q.size(1), k.size(1))[:, h]
            scores = scores.masked_fill(~m, torch.finfo(scores.dtype).min)
            w = F.softmax(scores, dim=-1).masked_fill(~m, 0.0)
        else:
            w = F.softmax(scores, dim=-1)
        outs.append(w @ vh)
    return torch.cat(outs, dim=-1)
