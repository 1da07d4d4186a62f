"""einsum and logsumexp."""
import torch


def attention(query, keys, values):
    s = torch.einsum("d,nd->n", query / len(query) ** 0.5, keys)
    w = torch.exp(s - torch.logsumexp(s, 0))
    return torch.einsum("n,nv->v", w, values), w
