"""Minus a billion is too much for float32 so I limit the mask to -10000, and I reuse it to save memory."""
# causes: mask_capped, mask_changed

import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q = torch.matmul(x, w_q)
    k = torch.matmul(x, w_k)
    v = torch.matmul(x, w_v)
    scale = 1.0 / math.sqrt(q.size(1))
    logits = (q * scale) @ k.transpose(0, 1)
    if mask is not None:
        mask.clamp_(min=-10000.0)
        logits = logits + mask
    weights = logits.softmax(dim=1)
    return weights @ v, weights
