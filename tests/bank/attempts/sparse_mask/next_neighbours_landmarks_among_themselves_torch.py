"""Each position sees its two neighbours, and the landmarks see each other."""
# causes: other: the band reaches one position whatever the stride, landmarks_see_each_other_only

import torch


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    index = torch.arange(n)
    is_landmark = index.remainder(stride).eq(0)
    among = torch.outer(is_landmark, is_landmark)
    band = torch.cdist(index[:, None].double(), index[:, None].double(), p=1) <= 1
    return torch.logical_or(band, among)
