"""Weights first."""
# causes: results_exchanged

import math

import torch


def self_attention(x, w_q, w_k, w_v):
    q = torch.einsum("ne,ed->nd", x, w_q)
    k = torch.einsum("ne,ed->nd", x, w_k)
    v = torch.einsum("ne,ed->nd", x, w_v)
    attn = torch.softmax(torch.einsum("id,jd->ij", q, k) / math.sqrt(q.shape[-1]), dim=-1)
    return attn, attn @ v
