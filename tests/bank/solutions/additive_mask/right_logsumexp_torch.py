"""Right: weights as exp(scores - logsumexp), batched with a leading axis of 1."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = (torch.einsum("ne,ed->nd", x, w)[None] for w in (w_q, w_k, w_v))
    scores = torch.bmm(q, k.transpose(1, 2)) / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask[None]
    weights = (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.bmm(weights, v)[0], weights[0]
