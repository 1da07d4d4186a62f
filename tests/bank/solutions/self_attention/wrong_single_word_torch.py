"""Wrong: 'Keeps precision' and 'Gradients flow'. A single word gets torch.ones(1, 1), float32 whatever x is and
without a graph. Shown by n = 1 in float64 (dtype), or weights.sum().backward() with n = 1 (raises)."""
import torch


def self_attention(x, w_q, w_k, w_v):
    v = x @ w_v
    if x.shape[0] == 1:
        return v, torch.ones(1, 1)
    s = (x @ w_q) @ (x @ w_k).T / w_q.shape[1] ** 0.5
    w = torch.softmax(s, dim=-1)
    return w @ v, w
