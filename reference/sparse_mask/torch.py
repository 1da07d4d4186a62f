"""A sparse pattern: a local band, and landmarks that see all and are seen by all.

After Child et al. 2019 and Beltagy et al. 2020.
"""

import torch


def sparse_mask(n, stride):
    i = torch.arange(n)[:, None]  # (n, 1) queries
    j = torch.arange(n)[None, :]  # (1, n) keys
    near = torch.abs(i - j) <= stride  # (n, n)
    sees_all = i % stride == 0  # (n, 1) rows of landmarks
    seen_by_all = j % stride == 0  # (1, n) columns of landmarks
    return near | sees_all | seen_by_all  # (n, n), True = may attend
