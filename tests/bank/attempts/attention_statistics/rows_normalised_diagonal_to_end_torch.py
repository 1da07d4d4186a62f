"""First every row is made to sum to 1; the diagonal ends at the last query and the last key."""
# causes: rows_normalised, diagonal_from_the_end

import torch


def attention_statistics(weights):
    total = weights.sum(dim=-1, keepdim=True)
    p = weights / torch.where(total > 0, total, torch.ones_like(total))
    logs = torch.where(p > 0, p, torch.ones_like(p)).log()
    entropy = -(p * logs).sum(-1).mean(-1)
    received = p.sum(1).mean(0)
    L, S = weights.shape[1:]
    start_q, start_k = max(L - S, 0), max(S - L, 0)
    square = p[:, start_q:, start_k:]
    diagonal = square.diagonal(dim1=1, dim2=2).mean(0)
    return entropy, received, diagonal
