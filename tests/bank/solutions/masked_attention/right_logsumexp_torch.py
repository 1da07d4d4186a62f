"""Right: weights as exp(scores - logsumexp), a constant added to each row, where() against a finite fill."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = torch.einsum("bld,bsd->bls", q * D**-0.25, k * D**-0.25)
    seen = torch.ones(scores.shape, dtype=torch.bool)
    if padding_mask is not None:
        seen = seen.logical_and(padding_mask[:, None])
    if causal:
        seen = seen.logical_and(torch.arange(S)[None, :] <= torch.arange(L)[:, None] + S - L)
    scores = torch.where(seen, scores, torch.full_like(scores, -1e30))
    shift = scores.detach().max(-1, keepdim=True).values
    scores = scores - shift
    weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
    weights = torch.where(seen, weights, torch.zeros_like(weights))
    return torch.einsum("bls,bsv->blv", weights, v), weights
