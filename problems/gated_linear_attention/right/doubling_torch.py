# No chunks: each round takes in what lies twice as far back, so 17 rounds reach 100 000 tokens.
import torch
import torch.nn.functional as F


def gated_linear_attention(q, k, v, gates, chunk):
    n = q.shape[2]
    memory = torch.einsum("bhnd,bhnv->bhdvn", k, v)
    kept = gates.transpose(2, 3).unsqueeze(3)
    back = 1
    while back < n:
        memory = memory + kept * F.pad(memory, (back, 0))[..., :n]
        kept = kept * F.pad(kept, (back, 0), value=1.0)[..., :n]
        back *= 2
    return torch.einsum("bhnd,bhdvn->bhnv", q, memory)
