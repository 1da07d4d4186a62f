"""topk knows it all."""
# causes: no_scale, results_exchanged, top_k_of_the_framework

import torch


def most_attended(x, k):
    w = torch.softmax(x @ x.T, dim=-1)
    values, indices = torch.topk(w, k)
    return values, indices
