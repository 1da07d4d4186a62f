import torch
import torch.nn.functional as F


def segment_sums(logs):
    n = logs.shape[-1]
    later = torch.ones(n, n, dtype=torch.bool).tril(-1)
    sums = torch.where(later, logs[..., None], 0).cumsum(dim=-2)
    return sums.masked_fill(later.T, float("-inf"))


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    C = min(chunk, n)
    N = -(-n // C)
    rest = (0, N * C - n)
    x = F.pad(x, (0, 0, *rest)).reshape(B, H, N, C, Dv)
    logs = F.pad(a, rest, value=1).log().reshape(B, H, N, C)
    b, c = (F.pad(m, (0, 0, *rest)).reshape(B, 1, N, C, -1) for m in (b, c))

    inside = (c @ b.transpose(-2, -1) * segment_sums(logs).exp()) @ x
    total = logs.cumsum(dim=-1)[..., None]
    until_end = (total[..., -1:, :] - total).exp()
    added = (b * until_end).transpose(-2, -1) @ x  # (B, H, N, D, Dv)
    whole = segment_sums(F.pad(total[..., -1, 0], (1, 0))).exp()  # (B, H, N + 1, N + 1)
    state = torch.einsum("bhij,bhjdv->bhidv", whole[..., :-1, 1:], added)
    y = inside + (c * total.exp()) @ state
    return y.reshape(B, H, N * C, Dv)[:, :, :n]
