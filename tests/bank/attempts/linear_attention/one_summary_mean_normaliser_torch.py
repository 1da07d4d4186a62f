"""Sum with einsum, and divide by the mean of the keys."""
# causes: batch_summed|one_summary_for_the_batch, mean_in_the_normaliser

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("bnd,bne->de", k, v)
    z = torch.einsum("bnd,bd->bn", q, k.mean(1))
    return torch.einsum("bnd,de->bne", q, kv) / z[..., None]
