"""As in the tutorials: assert, expand, triu from 1, -inf."""
# causes: assertion_for_an_error, aligned_to_start

import math

import torch
import torch.nn.functional as F


def grouped_query_attention(q, k, v, causal=False):
    bs, n_heads, seqlen, head_dim = q.shape
    n_kv = k.shape[1]
    assert n_heads % n_kv == 0
    n_rep = n_heads // n_kv
    k = k[:, :, None].expand(bs, n_kv, n_rep, *k.shape[2:]).reshape(bs, n_heads, *k.shape[2:])
    v = v[:, :, None].expand(bs, n_kv, n_rep, *v.shape[2:]).reshape(bs, n_heads, *v.shape[2:])
    scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(head_dim)
    if causal:
        mask = torch.full((seqlen, k.shape[2]), float("-inf"))
        mask = torch.triu(mask, diagonal=1)
        scores = scores + mask.to(scores.dtype)
    return torch.matmul(F.softmax(scores, dim=-1), v)
