"""index_fill along both axes of a band."""
import torch


def sparse_mask(n, stride):
    mask = torch.ones(n, n, dtype=torch.bool).tril(stride).triu(-stride)
    marks = torch.arange(0, n, stride)
    return mask.index_fill(0, marks, True).index_fill(1, marks, True)
