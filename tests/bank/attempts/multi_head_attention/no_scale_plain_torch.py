"""Neither a scale nor a check of the number of heads."""
# causes: no_scale, width_not_checked

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    d = E // num_heads

    def split(x, n):
        return x.view(B, n, num_heads, d).transpose(1, 2)

    Q, K, V = split(q @ w_q, L), split(k @ w_k, S), split(v @ w_v, S)
    scores = Q @ K.transpose(-1, -2)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    w = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    y = (w @ V).transpose(1, 2).reshape(B, L, E)
    return y @ w_o
