"""Hide the padding."""
# causes: causal_ignored, hidden_row_nan

import torch


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    scores = torch.einsum("bld,bsd->bls", q, k) / q.size(-1) ** 0.5
    if padding_mask is not None:
        scores = scores.masked_fill(~padding_mask[:, None, :], float("-inf"))
    weights = scores.softmax(dim=-1)
    return torch.einsum("bls,bsv->blv", weights, v), weights
