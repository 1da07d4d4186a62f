"""One summary for all, and where picks the branch of the feature."""
# causes: batch_summed|one_summary_for_the_batch, overflow_in_hidden_branch

import torch


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq = torch.where(q > 0, q + 1, torch.exp(q))
    fk = torch.where(k > 0, k + 1, torch.exp(k))
    kv = torch.einsum("bnd,bnv->dv", fk, v)
    z = torch.einsum("bnd,d->bn", fq, fk.sum(dim=(0, 1)))
    return torch.einsum("bnd,dv->bnv", fq, kv) / z[..., None]
