"""Right: torch.softmax over minus infinities, where rows that see nothing get zeros as scores first; hidden weights are cleared by torch.where."""
import torch


def visible_keys(B, L, S, padding_mask, causal, device):
    seen = torch.ones(B, L, S, dtype=torch.bool, device=device)
    if causal:
        seen = seen.tril(diagonal=S - L)
    if padding_mask is not None:
        seen = seen.logical_and(padding_mask.unsqueeze(-2))
    return seen


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    seen = visible_keys(B, L, k.shape[1], padding_mask, causal, q.device)
    scores = torch.einsum("bld,bsd->bls", q * D**-0.5, k)
    scores = torch.where(seen, scores, -torch.inf)
    scores = torch.where(seen.any(dim=-1, keepdim=True), scores, 0.0)
    weights = torch.where(seen, scores.softmax(dim=-1), 0.0)
    return torch.einsum("bls,bsv->blv", weights, v), weights
