import torch


def ssd(x, a, b, c, chunk):
    n = x.shape[2]
    later = torch.ones(n, n, dtype=torch.bool).tril(-1)
    kept = torch.where(later, a[..., None], 1).cumprod(dim=-2).tril()
    return ((c @ b.transpose(-2, -1))[:, None] * kept) @ x
