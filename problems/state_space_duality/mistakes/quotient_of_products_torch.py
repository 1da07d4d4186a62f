import torch
import torch.nn.functional as F


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    C = min(chunk, n)
    N = -(-n // C)
    rest = (0, N * C - n)  # tokens of zeros, which nobody notices
    x = F.pad(x, (0, 0, *rest)).reshape(B, H, N, C, Dv)
    a = F.pad(a, rest, value=1).reshape(B, H, N, C)
    b, c = (F.pad(m, (0, 0, *rest)).reshape(B, 1, N, C, -1) for m in (b, c))

    product = a.cumprod(dim=-1)
    kept = (product[..., :, None] / product[..., None, :]).tril()
    scores = c @ b.transpose(-2, -1)  # (B, 1, N, C, C), the same for all heads
    inside = (scores * kept) @ x  # what a token reads of its own chunk

    until_end = kept[..., -1, :, None]  # (B, H, N, C, 1)
    added = (b * until_end).transpose(-2, -1) @ x  # (B, H, N, D, Dv)
    since_start = a.cumprod(dim=-1)[..., None]  # (B, H, N, C, 1)
    state = [torch.zeros_like(added[:, :, 0])]  # before each chunk
    for i in range(1, N):
        whole = since_start[:, :, i - 1, -1:]  # (B, H, 1, 1), the product over a chunk
        state.append(whole * state[-1] + added[:, :, i - 1])
    y = inside + (c * since_start) @ torch.stack(state, dim=2)  # (B, H, N, C, Dv)
    return y.reshape(B, H, N * C, Dv)[:, :, :n]
