"""The steps with einsum and a root of the width."""
# causes: none

import math

import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = (torch.einsum("ne,ed->nd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("id,jd->ij", q, k)
    scaled = scores / math.sqrt(q.shape[-1])
    weights = torch.softmax(scaled, dim=-1)
    output = torch.einsum("ij,jd->id", weights, v)
    return scores, scaled, weights, output
