"""F.normalize: lengths of 1."""
# causes: length_for_root_mean_square

import math

import torch
import torch.nn.functional as F


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q = q / torch.sqrt((q**2).sum(-1, keepdim=True) + eps) * gain_q
    k = k / torch.sqrt((k**2).sum(-1, keepdim=True) + eps) * gain_k
    return F.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) @ v
