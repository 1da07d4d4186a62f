# Heads are an axis of the matrices: einsum splits, attends and merges without a transpose.
import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E, H = q.shape[2], num_heads
    if E % H != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {H} heads")
    D = E // H
    queries = torch.einsum("ble,ehd->bhld", q, w_q.reshape(E, H, D))
    keys = torch.einsum("bse,ehd->bhsd", k, w_k.reshape(E, H, D))
    values = torch.einsum("bse,ehd->bhsd", v, w_v.reshape(E, H, D))
    scores = torch.einsum("bhld,bhsd->bhls", queries, keys) / math.sqrt(D)
    weights = softmax_of_visible(scores, mask)
    heads = torch.einsum("bhls,bhsd->bhld", weights, values)
    return torch.einsum("bhld,hde->ble", heads, w_o.reshape(H, D, E))


def softmax_of_visible(scores, mask):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)  # a row with no visible key becomes 0
