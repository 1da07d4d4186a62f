# the NaN of blind queries is cleaned from the output only, so NaN weights reach the gradient of v
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    scores = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    scores = cap * torch.tanh(scores / cap)
    if causal:
        hidden = torch.ones(L, S, dtype=torch.bool, device=q.device).triu(S - L + 1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(torch.matmul(weights, v), nan=0.0)
