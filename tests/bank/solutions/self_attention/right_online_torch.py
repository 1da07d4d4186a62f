"""A running maximum and sum over blocks of two words; a batch of one inside."""
import torch


def self_attention(x, w_q, w_k, w_v):
    x = x[None]
    q, k, v = x @ w_q * w_q.shape[1] ** -0.5, x @ w_k, x @ w_v
    top = torch.full_like(q[..., :1], -torch.inf).detach()
    total, out, scores = 0, 0, []
    for kb, vb in zip(k.split(2, 1), v.split(2, 1)):
        s = q @ kb.mT
        scores.append(s)
        new = torch.maximum(top, s.detach().amax(-1, keepdim=True))
        e, shrink = torch.exp(s - new), torch.exp(top - new)
        total, out, top = total * shrink + e.sum(-1, keepdim=True), out * shrink + e @ vb, new
    return (out / total)[0], (torch.exp(torch.cat(scores, -1) - top) / total)[0]
