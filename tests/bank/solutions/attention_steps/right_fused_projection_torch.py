"""One product with the three matrices side by side; exp with the maximum of each row."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    d = w_q.shape[1]
    q, k, v = (x @ torch.cat([w_q, w_k, w_v], dim=1)).split([d, d, w_v.shape[1]], dim=1)
    scores = q.matmul(k.mT)
    scaled = scores.div(d**0.5)
    e = (scaled - scaled.max(dim=-1, keepdim=True).values).exp()
    weights = e / e.sum(-1, keepdim=True)
    return scores, scaled, weights, weights.matmul(v)
