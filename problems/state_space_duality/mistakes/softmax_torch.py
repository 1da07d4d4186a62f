import torch


def ssd(x, a, b, c, chunk):
    n = x.shape[2]
    earlier = torch.ones(n, n, dtype=torch.bool).tril()
    kept = torch.where(earlier.tril(-1), a[..., None], 1).cumprod(dim=-2)
    scores = (c @ b.transpose(-2, -1))[:, None] * kept
    return torch.softmax(scores.masked_fill(~earlier, float("-inf")), dim=-1) @ x
