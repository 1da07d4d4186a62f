# einsum names the axes: i asks, j is asked, e is the width of a word, d and v of its roles.
import math

import torch


def self_attention(x, w_q, w_k, w_v):
    q = torch.einsum("ie,ed->id", x, w_q)
    k = torch.einsum("je,ed->jd", x, w_k)
    v = torch.einsum("je,ev->jv", x, w_v)
    weights = torch.softmax(torch.einsum("id,jd->ij", q, k) / math.sqrt(w_q.shape[1]), dim=1)
    return torch.einsum("ij,jv->iv", weights, v), weights
