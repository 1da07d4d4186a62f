"""Wrong: the last position is always a landmark as well."""
import torch


def sparse_mask(n, stride):
    at = torch.arange(n)
    landmark = (at % stride == 0) | (at == n - 1)
    return ((at[:, None] - at).abs() <= stride) | landmark[:, None] | landmark
