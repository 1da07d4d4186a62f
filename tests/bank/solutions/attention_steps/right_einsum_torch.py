"""einsum and logsumexp."""
import torch


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = (torch.einsum("ne,ed->nd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("id,jd->ij", q, k)
    scaled = scores * w_q.size(1) ** -0.5
    weights = torch.exp(scaled - scaled.logsumexp(1, keepdim=True))
    return scores, scaled, weights, torch.einsum("ij,jv->iv", weights, v)
